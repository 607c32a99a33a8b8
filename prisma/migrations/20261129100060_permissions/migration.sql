-- Agents also ask with forms, and for permission to use a tool. Older processes know neither kind. `form` is no JSONB, which
-- forgets the order of its fields; `permission_key`: what a request for permission is the same by; `used_by`: the call of an
-- agent that got the answer.
ALTER TABLE "inputs"
  ADD COLUMN "form" JSON,
  ADD COLUMN "permission" JSONB,
  ADD COLUMN "permission_key" TEXT COLLATE "C",
  ADD COLUMN "used_by" TEXT COLLATE "C",
  DROP CONSTRAINT "inputs_kind_check",
  ADD CONSTRAINT "inputs_kind_check" CHECK (kind IN ('question', 'choice', 'approval', 'form', 'permission')) NOT VALID,
  ADD CONSTRAINT "inputs_form_check" CHECK ((kind = 'form') = (form IS NOT NULL)) NOT VALID,
  ADD CONSTRAINT "inputs_permission_check" CHECK ((kind = 'permission') = (permission IS NOT NULL)) NOT VALID,
  ADD CONSTRAINT "inputs_used_check" CHECK (used_by IS NULL OR (permission_key IS NOT NULL AND status = 'answered')) NOT VALID;

-- What agents may do with their tools: one policy for each project and role, where null stands for all of them.
CREATE TABLE "permission_policies" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C",
    "role" TEXT,
    "rules" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "permission_policies_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE UNIQUE INDEX "permission_policies_tenant_id_project_id_role_key" ON "permission_policies"("tenant_id", "project_id", "role") NULLS NOT DISTINCT;
ALTER TABLE "permission_policies"
  ADD CONSTRAINT "permission_policies_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT "permission_policies_tenant_id_project_id_fkey" FOREIGN KEY ("tenant_id", "project_id") REFERENCES "projects"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What agents may do for the rest of a task because a person allowed it always. `key` is a digest of tool and subject.
CREATE TABLE "task_permissions" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "task_id" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "tool" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "input_id" TEXT COLLATE "C" NOT NULL,
    "allowed_by" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "task_permissions_pkey" PRIMARY KEY ("tenant_id","task_id","id")
);
CREATE UNIQUE INDEX "task_permissions_tenant_id_task_id_key_key" ON "task_permissions"("tenant_id", "task_id", "key");
ALTER TABLE "task_permissions"
  ADD CONSTRAINT "task_permissions_tenant_id_task_id_fkey" FOREIGN KEY ("tenant_id", "task_id") REFERENCES "tasks"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

SELECT plan_for_largest_tenant('permission_policies'), plan_for_largest_tenant('task_permissions');
