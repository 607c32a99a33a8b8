-- What tasks belong to: git repositories with their checks, and defaults for new tasks.
CREATE TABLE "projects" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "repositories" JSONB NOT NULL,
    "defaults" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "archived_at" TIMESTAMPTZ(3),

    CONSTRAINT "projects_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE UNIQUE INDEX "projects_tenant_id_name_key" ON "projects"("tenant_id", "name") WHERE archived_at IS NULL;
ALTER TABLE "projects"
  ADD CONSTRAINT "projects_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The names by which tasks mean repositories, in lower case.
CREATE TABLE "project_repositories" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "project_repositories_pkey" PRIMARY KEY ("tenant_id","name","project_id")
);
CREATE INDEX "project_repositories_tenant_id_project_id_idx" ON "project_repositories"("tenant_id", "project_id");
ALTER TABLE "project_repositories"
  ADD CONSTRAINT "project_repositories_tenant_id_project_id_fkey" FOREIGN KEY ("tenant_id", "project_id") REFERENCES "projects"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

SELECT plan_for_largest_tenant('projects'), plan_for_largest_tenant('project_repositories');

-- Without a foreign key: projects are never deleted, and each new task would lock the row of its project.
ALTER TABLE "tasks" ADD COLUMN "project_id" TEXT COLLATE "C";

-- As the function with three parameters, which processes of the version before call, and the project.
CREATE FUNCTION task_labels_of(tags text[], metadata jsonb, run_id text, project_id text) RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $$
  SELECT DISTINCT 'tag:' || tag FROM unnest(tags) AS tag
  UNION ALL
  SELECT name || ':' || (metadata ->> name) FROM (VALUES ('ticket_id'), ('repository')) AS names (name)
  WHERE jsonb_typeof(metadata -> name) IN ('string', 'number', 'boolean') AND char_length(metadata ->> name) <= 500
  UNION ALL
  SELECT 'run:' || run_id WHERE run_id IS NOT NULL
  UNION ALL
  SELECT 'project:' || project_id WHERE project_id IS NOT NULL
$$;

-- A role is a name for scopes: the roles member and admin have the new one.
UPDATE "users" SET scopes = array_append(scopes, 'projects:write')
WHERE NOT 'projects:write' = ANY (scopes) AND scopes @> ARRAY[
  'agents:read', 'agents:write', 'tasks:read', 'tasks:write', 'workflows:read', 'workflows:run', 'workflows:write',
  'integrations:read', 'integrations:write', 'analytics:read', 'webhooks:read', 'webhooks:write', 'events:read', 'agent:self'];
