-- Calls to the API of a task platform: what is wanted, what was made, and the pace of each integration.
CREATE TABLE "platform_apis" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "integration_id" TEXT COLLATE "C" NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "fence" INTEGER NOT NULL DEFAULT 0,
    "slot_at" TIMESTAMPTZ(3) NOT NULL,
    "paused_until" TIMESTAMPTZ(3),

    CONSTRAINT "platform_apis_pkey" PRIMARY KEY ("tenant_id","integration_id")
);
ALTER TABLE "platform_apis" ADD CONSTRAINT "platform_apis_tenant_id_integration_id_fkey" FOREIGN KEY ("tenant_id", "integration_id") REFERENCES "integrations"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX "platform_apis_due_idx" ON "platform_apis" ("due_at") WHERE due_at IS NOT NULL;

CREATE TABLE "platform_calls" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "integration_id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "external_id" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "payload" JSON NOT NULL DEFAULT '{}',
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "rank" INTEGER NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "result" JSON,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "platform_calls_pkey" PRIMARY KEY ("tenant_id","integration_id","kind","external_id","key")
);
ALTER TABLE "platform_calls"
  ADD CONSTRAINT "platform_calls_kind_check" CHECK (kind IN ('task', 'status', 'comment', 'question', 'page')),
  ADD CONSTRAINT "platform_calls_state_check" CHECK (state IN ('waiting', 'done', 'failed')),
  ADD CONSTRAINT "platform_calls_due_check" CHECK ((state = 'waiting') = (due_at IS NOT NULL)),
  ADD CONSTRAINT "platform_calls_finished_check" CHECK ((state = 'waiting') = (finished_at IS NULL));
ALTER TABLE "platform_calls" ADD CONSTRAINT "platform_calls_tenant_id_integration_id_fkey" FOREIGN KEY ("tenant_id", "integration_id") REFERENCES "platform_apis"("tenant_id", "integration_id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX "platform_calls_waiting_idx" ON "platform_calls" ("tenant_id", "integration_id", "rank", "due_at") WHERE state = 'waiting';
CREATE INDEX "platform_calls_next_idx" ON "platform_calls" ("tenant_id", "integration_id", "due_at") WHERE state = 'waiting';
CREATE INDEX "platform_calls_failed_idx" ON "platform_calls" ("tenant_id", "integration_id", "finished_at") WHERE state = 'failed';
CREATE INDEX "platform_calls_finished_idx" ON "platform_calls" ("finished_at") WHERE finished_at IS NOT NULL;

CREATE TABLE "platform_reconciles" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "integration_id" TEXT COLLATE "C" NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'running',
    "since" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3),
    "cursor" JSON NOT NULL DEFAULT '{}',
    "seen" INTEGER NOT NULL DEFAULT 0,
    "created" INTEGER NOT NULL DEFAULT 0,
    "updated" INTEGER NOT NULL DEFAULT 0,
    "unchanged" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "platform_reconciles_pkey" PRIMARY KEY ("tenant_id","id")
);
ALTER TABLE "platform_reconciles"
  ADD CONSTRAINT "platform_reconciles_status_check" CHECK (status IN ('running', 'completed', 'cancelled', 'failed')),
  ADD CONSTRAINT "platform_reconciles_finished_check" CHECK ((status = 'running') = (finished_at IS NULL));
ALTER TABLE "platform_reconciles" ADD CONSTRAINT "platform_reconciles_tenant_id_integration_id_fkey" FOREIGN KEY ("tenant_id", "integration_id") REFERENCES "integrations"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
-- One at a time: each takes most of the calls that the integration has a minute.
CREATE UNIQUE INDEX "platform_reconciles_running_key" ON "platform_reconciles" ("tenant_id", "integration_id") WHERE status = 'running';
