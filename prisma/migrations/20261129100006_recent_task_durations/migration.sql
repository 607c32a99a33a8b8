CREATE INDEX CONCURRENTLY "task_durations_recent_idx" ON "task_durations" ("completed_at", "tenant_id", "role");
