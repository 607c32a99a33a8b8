-- The API that is due next is one row.
CREATE INDEX CONCURRENTLY "platform_apis_due_idx" ON "platform_apis" ("due_at") WHERE due_at IS NOT NULL;
