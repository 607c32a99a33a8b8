CREATE INDEX CONCURRENTLY "workflow_runs_tenant_id_name_id_idx" ON "workflow_runs" ("tenant_id", "name", "id");
