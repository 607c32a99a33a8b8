-- Tasks in review and failed ones by the time of it, overdue ones by their due date, runs by their end.
UPDATE "tasks" SET waits_since = updated_at WHERE status IN ('in_review', 'failed') AND waits_since IS NULL;
CREATE INDEX "tasks_review_since_idx" ON "tasks" ("tenant_id", "waits_since", "id") WHERE status = 'in_review';
CREATE INDEX "tasks_failed_at_idx" ON "tasks" ("tenant_id", "waits_since", "id") WHERE status = 'failed';
CREATE INDEX "tasks_overdue_idx" ON "tasks" ("tenant_id", "due_date", "id") WHERE due_date IS NOT NULL AND status NOT IN ('completed', 'failed', 'cancelled');

-- CreateIndex
CREATE INDEX "workflow_runs_tenant_id_status_finished_at_id_idx" ON "workflow_runs"("tenant_id", "status", "finished_at", "id");
