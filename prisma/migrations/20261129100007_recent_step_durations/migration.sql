CREATE INDEX CONCURRENTLY "step_durations_recent_idx" ON "step_durations" ("finished_at", "tenant_id", "workflow_id", "step_key");
