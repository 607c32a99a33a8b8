-- Receipts are listed by integration, and those that were not applied. Other filters look at a bounded number of receipts a
-- page: an index on external_id, whose entries go to random pages, cost the receiver 10% of its statement.
CREATE INDEX "inbound_events_tenant_id_integration_ref_id_idx" ON "inbound_events" ("tenant_id", "integration_ref", "id");
CREATE INDEX "inbound_events_problems_idx" ON "inbound_events" ("tenant_id", "status", "id") WHERE status IN ('failed', 'quarantined');
