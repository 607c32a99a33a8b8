-- Workflows: definitions by version, their runs, the steps of those, what happened to them, and how long steps took.

CREATE TABLE "workflows" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "shipped_as" TEXT,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "step_count" INTEGER NOT NULL,
    "estimated_duration" TEXT NOT NULL,
    "current_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "workflows_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE UNIQUE INDEX "workflows_tenant_id_shipped_as_key" ON "workflows"("tenant_id", "shipped_as");
ALTER TABLE "workflows"
  ADD CONSTRAINT "workflows_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "workflow_versions" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "workflow_id" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL,
    "definition" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" TEXT NOT NULL,

    CONSTRAINT "workflow_versions_pkey" PRIMARY KEY ("tenant_id","workflow_id","version")
);
ALTER TABLE "workflow_versions"
  ADD CONSTRAINT "workflow_versions_tenant_id_workflow_id_fkey" FOREIGN KEY ("tenant_id", "workflow_id") REFERENCES "workflows"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "workflow_runs" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "workflow_id" TEXT COLLATE "C" NOT NULL,
    "workflow_version" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "parameters" JSONB NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'started',
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "started_by" TEXT NOT NULL,
    "estimated_completion" TIMESTAMPTZ(3) NOT NULL,
    "paused_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "timeline_seq" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "workflow_runs_status_check" CHECK (status IN ('started', 'completed', 'failed', 'cancelled'))
) WITH (fillfactor = 70);
CREATE INDEX "workflow_runs_tenant_id_status_id_idx" ON "workflow_runs"("tenant_id", "status", "id");
CREATE INDEX "workflow_runs_tenant_id_workflow_id_id_idx" ON "workflow_runs"("tenant_id", "workflow_id", "id");
-- After the indexes above: without statistics all cost the same for a look-up by id, and of equals the planner takes
-- the newest one. The other way round foreign key checks walk through all runs of the tenant.
ALTER TABLE "workflow_runs"
  ADD CONSTRAINT "workflow_runs_pkey" PRIMARY KEY ("tenant_id","id"),
  ADD CONSTRAINT "workflow_runs_tenant_id_workflow_id_workflow_version_fkey" FOREIGN KEY ("tenant_id", "workflow_id", "workflow_version") REFERENCES "workflow_versions"("tenant_id", "workflow_id", "version") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "run_steps" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "run_id" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "rejections" INTEGER NOT NULL DEFAULT 0,
    "task_id" TEXT COLLATE "C",
    "result" JSONB,
    "reason" TEXT,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "run_steps_pkey" PRIMARY KEY ("tenant_id","run_id","key"),
    CONSTRAINT "run_steps_status_check" CHECK (status IN ('pending', 'in_progress', 'awaiting_approval', 'completed', 'failed', 'skipped', 'cancelled'))
) WITH (fillfactor = 70);
-- The sweep of what falls due; closed steps have no due_at.
CREATE INDEX "run_steps_due_at" ON "run_steps"("due_at") WHERE due_at IS NOT NULL;
ALTER TABLE "run_steps"
  ADD CONSTRAINT "run_steps_tenant_id_run_id_fkey" FOREIGN KEY ("tenant_id", "run_id") REFERENCES "workflow_runs"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "run_timeline" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "run_id" TEXT COLLATE "C" NOT NULL,
    "seq" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,
    "data" JSONB NOT NULL,

    CONSTRAINT "run_timeline_pkey" PRIMARY KEY ("tenant_id","run_id","seq")
);
ALTER TABLE "run_timeline"
  ADD CONSTRAINT "run_timeline_tenant_id_run_id_fkey" FOREIGN KEY ("tenant_id", "run_id") REFERENCES "workflow_runs"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "step_durations" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "workflow_id" TEXT COLLATE "C" NOT NULL,
    "step_key" TEXT COLLATE "C" NOT NULL,
    "finished_at" TIMESTAMPTZ(3) NOT NULL,
    "run_id" TEXT COLLATE "C" NOT NULL,
    "duration_ms" BIGINT NOT NULL,

    CONSTRAINT "step_durations_pkey" PRIMARY KEY ("tenant_id","workflow_id","step_key","finished_at","run_id")
);
