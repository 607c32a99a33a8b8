-- The newest input of a task that asked for the same permission.
CREATE INDEX CONCURRENTLY "inputs_permission_idx" ON "inputs" ("tenant_id", "task_id", "permission_key", "id") WHERE permission_key IS NOT NULL;
