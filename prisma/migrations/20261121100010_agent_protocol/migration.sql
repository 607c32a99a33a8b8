-- What agents, persons and time do to a task between claim and completion.
ALTER TABLE "tasks"
  ADD COLUMN "failures" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "not_before" TIMESTAMPTZ(3),
  ADD COLUMN "lost_by" TEXT COLLATE "C",
  ADD COLUMN "not_for" TEXT COLLATE "C",
  ADD COLUMN "checkpoint" JSONB,
  ADD COLUMN "contract" JSONB,
  ADD COLUMN "review_of" TEXT COLLATE "C",
  ADD COLUMN "review_task_id" TEXT COLLATE "C",
  ADD COLUMN "stalled_at" TIMESTAMPTZ(3),
  ADD COLUMN "directive_seq" INTEGER NOT NULL DEFAULT 0;

-- A blocked task keeps its lease, parked: without an end of its own until somebody has answered.
ALTER TABLE "tasks"
  DROP CONSTRAINT "tasks_lease_check",
  ADD CONSTRAINT "tasks_lease_check" CHECK ((status IN ('in_progress', 'blocked')) = (lease_id IS NOT NULL)),
  ADD CONSTRAINT "tasks_failures_check" CHECK (failures >= 0);

ALTER TABLE "leases"
  ALTER COLUMN "expires_at" DROP NOT NULL,
  ADD COLUMN "parked_at" TIMESTAMPTZ(3),
  ADD COLUMN "revive_until" TIMESTAMPTZ(3),
  ADD CONSTRAINT "leases_parked_check" CHECK ((ended_at IS NOT NULL) OR ((parked_at IS NULL) = (expires_at IS NOT NULL))),
  ADD CONSTRAINT "leases_revive_check" CHECK (revive_until IS NULL OR parked_at IS NOT NULL);
-- The sweep of answered leases whose agent did not come back.
CREATE INDEX "leases_revive_idx" ON "leases" ("revive_until", "id") WHERE ended_at IS NULL AND revive_until IS NOT NULL;

CREATE TABLE "inputs" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "task_id" TEXT COLLATE "C" NOT NULL,
    "lease_id" TEXT COLLATE "C" NOT NULL,
    "agent_id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT NOT NULL,
    "prompt" TEXT NOT NULL,
    "options" TEXT[] NOT NULL DEFAULT '{}',
    "is_blocking" BOOLEAN NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "answer" JSONB,
    "answered_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "answered_at" TIMESTAMPTZ(3),

    CONSTRAINT "inputs_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE INDEX "inputs_tenant_id_status_id_idx" ON "inputs"("tenant_id", "status", "id");
CREATE INDEX "inputs_tenant_id_task_id_id_idx" ON "inputs"("tenant_id", "task_id", "id");
CREATE INDEX "inputs_expiry_idx" ON "inputs" ("expires_at", "id") WHERE status = 'pending';
-- A parked lease waits for one answer.
CREATE UNIQUE INDEX "inputs_blocking_key" ON "inputs" ("tenant_id", "task_id") WHERE status = 'pending' AND is_blocking;
ALTER TABLE "inputs"
  ADD CONSTRAINT "inputs_tenant_id_task_id_fkey" FOREIGN KEY ("tenant_id", "task_id") REFERENCES "tasks"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT "inputs_kind_check" CHECK (kind IN ('question', 'choice', 'approval')),
  ADD CONSTRAINT "inputs_status_check" CHECK (status IN ('pending', 'answered', 'expired', 'cancelled')),
  ADD CONSTRAINT "inputs_answered_check" CHECK ((status = 'answered') = (answer IS NOT NULL AND answered_at IS NOT NULL));

CREATE TABLE "directives" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "task_id" TEXT COLLATE "C" NOT NULL,
    "seq" INTEGER NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    -- The one lease that it is for; null: whoever holds the task.
    "lease_id" TEXT COLLATE "C",
    "kind" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "acknowledged_at" TIMESTAMPTZ(3),

    CONSTRAINT "directives_pkey" PRIMARY KEY ("tenant_id","task_id","seq")
);
CREATE UNIQUE INDEX "directives_tenant_id_id_key" ON "directives"("tenant_id", "id");
CREATE INDEX "directives_pending_idx" ON "directives" ("tenant_id", "task_id", "seq") WHERE acknowledged_at IS NULL;
ALTER TABLE "directives"
  ADD CONSTRAINT "directives_tenant_id_task_id_fkey" FOREIGN KEY ("tenant_id", "task_id") REFERENCES "tasks"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT "directives_kind_check" CHECK (kind IN ('answer', 'message', 'cancel', 'lease_lost'));

CREATE TABLE "artifacts" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "task_id" TEXT COLLATE "C" NOT NULL,
    "lease_id" TEXT COLLATE "C" NOT NULL,
    "agent_id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT NOT NULL,
    "title" TEXT,
    "url" TEXT,
    "sha" TEXT,
    "data" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "artifacts_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE INDEX "artifacts_tenant_id_task_id_id_idx" ON "artifacts"("tenant_id", "task_id", "id");
ALTER TABLE "artifacts"
  ADD CONSTRAINT "artifacts_tenant_id_task_id_fkey" FOREIGN KEY ("tenant_id", "task_id") REFERENCES "tasks"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT "artifacts_kind_check" CHECK (kind IN ('pull_request', 'commit', 'branch', 'file', 'test_report', 'link'));

-- Presence as it was last told of: online, stale or offline. Who waits in a claim tells so again and again; idle_since
-- is the end of the last lease.
ALTER TABLE "agents"
  ADD COLUMN "presence" TEXT NOT NULL DEFAULT 'offline',
  ADD COLUMN "waiting_until" TIMESTAMPTZ(3),
  ADD COLUMN "idle_since" TIMESTAMPTZ(3),
  ADD CONSTRAINT "agents_presence_check" CHECK (presence IN ('online', 'stale', 'offline'));
-- The loop that notes a changed presence.
CREATE INDEX "agents_presence_idx" ON "agents" ("presence", "last_seen_at") WHERE deleted_at IS NULL;
-- How long agents took for the newest tasks of a role, for its median. Older rows are swept away.
CREATE TABLE "task_durations" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "role" TEXT NOT NULL,
    "completed_at" TIMESTAMPTZ(3) NOT NULL,
    "task_id" TEXT COLLATE "C" NOT NULL,
    "duration_ms" BIGINT NOT NULL,

    CONSTRAINT "task_durations_pkey" PRIMARY KEY ("tenant_id","role","completed_at","task_id")
);

-- The Idempotency-Key of a claim: while its lease lives, the same key gives the same lease.
ALTER TABLE "leases"
  ADD COLUMN "claim_key" TEXT COLLATE "C",
  ADD COLUMN "is_claimed_again" BOOLEAN NOT NULL DEFAULT false;
CREATE UNIQUE INDEX "leases_claim_key" ON "leases" ("tenant_id", "agent_id", "claim_key") WHERE ended_at IS NULL AND claim_key IS NOT NULL;

-- When tasks that wait for a time may be claimed: whoever waits for work is woken then.
CREATE TABLE "task_alarms" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "task_id" TEXT COLLATE "C" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "task_alarms_pkey" PRIMARY KEY ("tenant_id","task_id")
);
CREATE INDEX "task_alarms_at_idx" ON "task_alarms"("at");
ALTER TABLE "task_alarms"
  ADD CONSTRAINT "task_alarms_tenant_id_task_id_fkey" FOREIGN KEY ("tenant_id", "task_id") REFERENCES "tasks"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
