CREATE INDEX CONCURRENTLY "agents_seen_by_idx" ON "agents" ("seen_by") WHERE seen_by IS NOT NULL;
