CREATE TABLE "analytics_task_facts" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "task_id" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "due_date" TIMESTAMPTZ(3),
    "first_claimed_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "code_quality" INTEGER,
    "requirements_clarity" INTEGER,

    CONSTRAINT "analytics_task_facts_pkey" PRIMARY KEY ("tenant_id","task_id")
);

CREATE TABLE "analytics_daily_rollups" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "day" DATE NOT NULL,
    "role" TEXT NOT NULL,
    "total" INTEGER NOT NULL DEFAULT 0,
    "completed" INTEGER NOT NULL DEFAULT 0,
    "in_progress" INTEGER NOT NULL DEFAULT 0,
    "completion_ms" BIGINT NOT NULL DEFAULT 0,
    "completion_count" INTEGER NOT NULL DEFAULT 0,
    "quality_total" INTEGER NOT NULL DEFAULT 0,
    "quality_count" INTEGER NOT NULL DEFAULT 0,
    "clarity_total" INTEGER NOT NULL DEFAULT 0,
    "clarity_count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "analytics_daily_rollups_pkey" PRIMARY KEY ("tenant_id","day","role")
);

-- Tasks that may be overdue.
CREATE INDEX "analytics_task_facts_due_idx" ON "analytics_task_facts" ("tenant_id", "due_date") WHERE due_date IS NOT NULL AND status NOT IN ('completed', 'failed', 'cancelled');
