CREATE INDEX CONCURRENTLY "endpoints_drains_since_idx" ON "endpoints" ("drains_since") WHERE drains_since IS NOT NULL;
