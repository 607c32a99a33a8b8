-- The reviews of a task whose pull request comes after them.
CREATE INDEX CONCURRENTLY "tasks_review_of_idx" ON "tasks" ("tenant_id", "review_of", "id") WHERE review_of IS NOT NULL;
