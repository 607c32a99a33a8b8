-- Claims of some projects. `coalesce` keeps the index of roles out of their plans, which has the tasks of all projects.
CREATE INDEX CONCURRENTLY "tasks_claim_of_project_idx" ON "tasks" ("tenant_id", "project_id", (coalesce(assigned_role, '')), "rank", "id")
    WHERE project_id IS NOT NULL AND status IN ('created', 'open') AND NOT is_held;
