-- Pull requests that no task was linked to, by their age.
CREATE INDEX "pull_requests_unlinked_idx" ON "pull_requests" ("created_at") WHERE task_id IS NULL;
