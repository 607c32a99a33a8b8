-- Those whose base has moved when another one was merged, without all that were ever closed.
CREATE INDEX CONCURRENTLY "pull_requests_open_idx" ON "pull_requests" ("tenant_id", "integration_ref", "repository", "base") WHERE state = 'open' AND task_id IS NOT NULL;
