CREATE INDEX CONCURRENTLY "tenants_removed_at_idx" ON "tenants" ("removed_at") WHERE "removed_at" IS NOT NULL;
