CREATE INDEX CONCURRENTLY "tenants_created_at_id_idx" ON "tenants" ("created_at", "id");
