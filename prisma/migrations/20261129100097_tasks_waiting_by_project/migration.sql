-- Claims of some projects, and of those without a project. `coalesce` keeps the index of roles out of their plans, which
-- has the tasks of all projects.
CREATE INDEX CONCURRENTLY "tasks_claim_by_project_idx" ON "tasks" ("tenant_id", (coalesce(project_id, '')), (coalesce(assigned_role, '')), "rank", "id")
    WHERE status IN ('created', 'open') AND NOT is_held;
