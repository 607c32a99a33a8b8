-- APIs with due calls are found from tenant to tenant, those whose last call was slow last.
CREATE INDEX CONCURRENTLY "platform_apis_tenant_due_idx" ON "platform_apis" ("tenant_id", "slow_calls", "due_at") WHERE due_at IS NOT NULL;
