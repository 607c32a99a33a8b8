CREATE TABLE "agents" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "capabilities" TEXT[],
    "max_concurrent_tasks" INTEGER NOT NULL DEFAULT 1,
    "is_accepting" BOOLEAN NOT NULL DEFAULT true,
    "active_leases" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "tasks_completed" INTEGER NOT NULL DEFAULT 0,
    "completion_ms_total" BIGINT NOT NULL DEFAULT 0,
    "quality_total" INTEGER NOT NULL DEFAULT 0,
    "quality_count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "agents_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "tasks" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'created',
    "priority" TEXT NOT NULL DEFAULT 'medium',
    "due_date" TIMESTAMPTZ(3),
    "assigned_role" TEXT,
    "assigned_agent" TEXT COLLATE "C",
    "is_pinned" BOOLEAN NOT NULL DEFAULT false,
    "tags" TEXT[],
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "rank" TIMESTAMPTZ(3) NOT NULL,
    "timeline_seq" INTEGER NOT NULL DEFAULT 0,
    "percent_complete" INTEGER,
    "estimate_remaining" TEXT,
    "milestones" JSONB NOT NULL DEFAULT '[]',
    "fencing_token" INTEGER NOT NULL DEFAULT 0,
    "lease_id" TEXT COLLATE "C",
    "lost_leases" INTEGER NOT NULL DEFAULT 0,
    "is_held" BOOLEAN NOT NULL DEFAULT false,
    "first_claimed_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "completed_by" TEXT,
    "code_quality" INTEGER,
    "requirements_clarity" INTEGER,
    "result" JSONB
);

CREATE TABLE "task_timeline" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "task_id" TEXT COLLATE "C" NOT NULL,
    "seq" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,
    "data" JSONB NOT NULL,

    CONSTRAINT "task_timeline_pkey" PRIMARY KEY ("tenant_id","task_id","seq")
);

CREATE TABLE "leases" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "task_id" TEXT COLLATE "C" NOT NULL,
    "agent_id" TEXT COLLATE "C" NOT NULL,
    "fencing_token" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "end_reason" TEXT,

    CONSTRAINT "leases_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE INDEX "agents_tenant_id_created_at_id_idx" ON "agents"("tenant_id", "created_at", "id");

CREATE INDEX "agents_tenant_id_role_idx" ON "agents"("tenant_id", "role");

CREATE INDEX "tasks_tenant_id_created_at_id_idx" ON "tasks"("tenant_id", "created_at", "id");

-- After the index above: while the table has no statistics both cost the same for a look-up by id, and of equals the
-- planner takes the newer one. The other way round foreign key checks walk through all tasks of the tenant until the
-- first ANALYZE.
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_pkey" PRIMARY KEY ("tenant_id","id");

ALTER TABLE "agents" ADD CONSTRAINT "agents_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "tasks" ADD CONSTRAINT "tasks_tenant_id_assigned_agent_fkey" FOREIGN KEY ("tenant_id", "assigned_agent") REFERENCES "agents"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "task_timeline" ADD CONSTRAINT "task_timeline_tenant_id_task_id_fkey" FOREIGN KEY ("tenant_id", "task_id") REFERENCES "tasks"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "leases" ADD CONSTRAINT "leases_tenant_id_task_id_fkey" FOREIGN KEY ("tenant_id", "task_id") REFERENCES "tasks"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "leases" ADD CONSTRAINT "leases_tenant_id_agent_id_fkey" FOREIGN KEY ("tenant_id", "agent_id") REFERENCES "agents"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "agents"
  ADD CONSTRAINT "agents_max_concurrent_tasks_check" CHECK (max_concurrent_tasks BETWEEN 1 AND 100),
  ADD CONSTRAINT "agents_active_leases_check" CHECK (active_leases BETWEEN 0 AND 100);

ALTER TABLE "tasks"
  ADD CONSTRAINT "tasks_status_check" CHECK (status IN ('created', 'open', 'in_progress', 'blocked', 'in_review', 'completed', 'failed', 'cancelled')),
  ADD CONSTRAINT "tasks_priority_check" CHECK (priority IN ('low', 'medium', 'high', 'urgent', 'critical')),
  ADD CONSTRAINT "tasks_percent_complete_check" CHECK (percent_complete BETWEEN 0 AND 100),
  ADD CONSTRAINT "tasks_lease_check" CHECK ((status = 'in_progress') = (lease_id IS NOT NULL)),
  ADD CONSTRAINT "tasks_completed_check" CHECK ((status = 'completed') = (completed_at IS NOT NULL)),
  ADD CONSTRAINT "tasks_pinned_check" CHECK (NOT is_pinned OR assigned_agent IS NOT NULL);

ALTER TABLE "leases" ADD CONSTRAINT "leases_ended_check" CHECK ((ended_at IS NULL) = (end_reason IS NULL));

-- A task is in at most one lease.
CREATE UNIQUE INDEX "leases_live_key" ON "leases" ("tenant_id", "task_id") WHERE ended_at IS NULL;
-- The sweep of expired leases.
CREATE INDEX "leases_expiry_idx" ON "leases" ("expires_at", "id") WHERE ended_at IS NULL;
-- Claims of a role, and of the tasks that an agent is planned for.
CREATE INDEX "tasks_claim_idx" ON "tasks" ("tenant_id", "assigned_role", "rank", "id") WHERE status IN ('created', 'open') AND NOT is_held;
CREATE INDEX "tasks_assigned_idx" ON "tasks" ("tenant_id", "assigned_agent", "rank", "id") WHERE assigned_agent IS NOT NULL AND status NOT IN ('completed', 'failed', 'cancelled');

-- What analytics may read of tasks and agents.
CREATE VIEW "analytics_task_view" AS
  SELECT tenant_id, id AS task_id, coalesce(assigned_role, '') AS role, status, created_at, due_date, first_claimed_at,
         completed_at, code_quality, requirements_clarity, version
  FROM tasks;
CREATE VIEW "analytics_agent_roles" AS
  SELECT DISTINCT tenant_id, role FROM agents WHERE deleted_at IS NULL;
