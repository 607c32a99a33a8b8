-- What an endpoint did not get, newest first: listed, and replayed, without reading what was delivered.
CREATE INDEX "deliveries_dead_idx" ON "deliveries" ("tenant_id", "endpoint_id", "event_id") WHERE status = 'dead';
