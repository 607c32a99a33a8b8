-- A task has one pull request in a repository, whichever integration opens it.
CREATE UNIQUE INDEX CONCURRENTLY "platform_calls_pull_request_key" ON "platform_calls" ("tenant_id", "key", "external_id") WHERE kind = 'pull_request';
