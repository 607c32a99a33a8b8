CREATE INDEX CONCURRENTLY "agents_unseen_idx" ON "agents" ("presence", "last_seen_at") WHERE deleted_at IS NULL AND seen_by IS NULL;
