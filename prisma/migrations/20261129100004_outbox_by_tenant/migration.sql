-- What the relay has to send, a backlog for each consumer and tenant: they take turns (decision 138).
CREATE INDEX CONCURRENTLY "outbox_backlog_idx" ON "outbox" ("consumer", "tenant_id", "available_at", "event_id")
  WHERE sent_at IS NULL AND dead_at IS NULL;
