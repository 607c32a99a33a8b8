-- Receipts that are applied again, some a second.
CREATE TABLE "inbound_replays" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'running',
    "filter" JSON NOT NULL,
    "max_per_second" INTEGER NOT NULL,
    "total" INTEGER NOT NULL,
    "replayed" INTEGER NOT NULL DEFAULT 0,
    "after_id" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "next_run_at" TIMESTAMPTZ(3),
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "inbound_replays_pkey" PRIMARY KEY ("tenant_id","id")
);
ALTER TABLE "inbound_replays"
  ADD CONSTRAINT "inbound_replays_status_check" CHECK (status IN ('running', 'completed', 'cancelled')),
  ADD CONSTRAINT "inbound_replays_running_check" CHECK ((status = 'running') = (next_run_at IS NOT NULL)),
  ADD CONSTRAINT "inbound_replays_finished_check" CHECK ((status = 'running') = (finished_at IS NULL));
ALTER TABLE "inbound_replays" ADD CONSTRAINT "inbound_replays_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
-- One at a time: each takes its share of what the tenant's own webhooks are applied with.
CREATE UNIQUE INDEX "inbound_replays_running_key" ON "inbound_replays" ("tenant_id") WHERE status = 'running';
CREATE INDEX "inbound_replays_due_idx" ON "inbound_replays" ("next_run_at") WHERE next_run_at IS NOT NULL;
