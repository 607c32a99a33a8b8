-- The list of events sorted by timestamp, ties by id. Indexes of partitioned tables cannot be built concurrently: writes of
-- events wait while it is built, about a second for a million.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "events_tenant_id_occurred_at_event_id_idx" ON "events" ("tenant_id", "occurred_at", "event_id");
