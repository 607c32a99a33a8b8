CREATE INDEX CONCURRENTLY "tasks_agent_due_idx" ON "tasks" ("tenant_id", "assigned_agent", "due_date", "id")
    WHERE assigned_agent IS NOT NULL AND due_date IS NOT NULL;
