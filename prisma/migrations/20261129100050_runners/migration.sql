-- Processes that claim tasks for agents. Room on each page lets a heartbeat be written beside its row, and no index is on
-- what a heartbeat changes but on the day, which it changes once in 24 hours.
CREATE TABLE "runners" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "agent_id" TEXT COLLATE "C" NOT NULL,
    "instance" TEXT COLLATE "C" NOT NULL,
    "host" TEXT NOT NULL,
    "os" TEXT,
    "version" TEXT NOT NULL,
    "preset" TEXT,
    "preset_title" TEXT,
    "agent_version" TEXT,
    "concurrency" INTEGER NOT NULL,
    "pid" INTEGER,
    "running" INTEGER NOT NULL DEFAULT 0,
    "is_draining" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_on" DATE NOT NULL,

    CONSTRAINT "runners_pkey" PRIMARY KEY ("tenant_id","id")
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX "runners_tenant_id_agent_id_instance_key" ON "runners"("tenant_id", "agent_id", "instance");
CREATE INDEX "runners_last_seen_on_idx" ON "runners"("last_seen_on");
ALTER TABLE "runners"
  ADD CONSTRAINT "runners_tenant_id_agent_id_fkey" FOREIGN KEY ("tenant_id", "agent_id") REFERENCES "agents"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

SELECT plan_for_largest_tenant('runners');
