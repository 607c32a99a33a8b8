-- What a user can set and see of an endpoint.
ALTER TABLE "endpoints"
  ADD COLUMN "description" TEXT,
  ADD COLUMN "headers" TEXT,
  ADD COLUMN "header_names" TEXT[] NOT NULL DEFAULT '{}',
  ADD COLUMN "ordering" TEXT NOT NULL DEFAULT 'none',
  ADD COLUMN "max_per_second" INTEGER,
  ADD COLUMN "previous_secret" TEXT,
  ADD COLUMN "previous_secret_until" TIMESTAMPTZ(3),
  ADD COLUMN "status_reason" TEXT,
  ADD COLUMN "status_changed_at" TIMESTAMPTZ(3),
  ADD COLUMN "failures_in_row" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "failing_since" TIMESTAMPTZ(3),
  ADD COLUMN "last_success_at" TIMESTAMPTZ(3),
  ADD COLUMN "last_failure_at" TIMESTAMPTZ(3),
  ADD COLUMN "probe_at" TIMESTAMPTZ(3),
  ADD COLUMN "probes" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "next_send_at" TIMESTAMPTZ(3);
ALTER TABLE "endpoints"
  ADD CONSTRAINT "endpoints_ordering_check" CHECK (ordering IN ('none', 'task')),
  ADD CONSTRAINT "endpoints_max_per_second_check" CHECK (max_per_second BETWEEN 1 AND 1000),
  ADD CONSTRAINT "endpoints_previous_secret_check" CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL)),
  ADD CONSTRAINT "endpoints_probe_check" CHECK (probe_at IS NULL OR status = 'paused');
-- Paused endpoints whose next probe is due.
CREATE INDEX "endpoints_probe_idx" ON "endpoints" ("probe_at") WHERE probe_at IS NOT NULL;

-- The keys of deliveries and attempts come from rows that are never changed (events) or never removed (endpoints), and
-- whole months are dropped: a foreign key would look up, and lock, three rows for each delivery and hinder the dropping.
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_tenant_id_event_id_fkey";
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_tenant_id_endpoint_id_fkey";
ALTER TABLE "attempts" DROP CONSTRAINT "attempts_tenant_id_event_id_endpoint_id_fkey";

ALTER TABLE "deliveries"
  ADD COLUMN "reason" TEXT,
  ADD COLUMN "tries_from" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "task_id" TEXT COLLATE "C",
  ADD COLUMN "replay_id" TEXT COLLATE "C";
-- held: kept for a paused endpoint, and due again when that recovers.
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_status_check";
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_status_check" CHECK (status IN ('pending', 'held', 'delivered', 'dead'));
-- The backlog of a paused endpoint, oldest first.
CREATE INDEX "deliveries_held_idx" ON "deliveries" ("tenant_id", "endpoint_id", "event_id") WHERE status = 'held';
-- What goes before others of the same task at an endpoint that wants its order.
CREATE INDEX "deliveries_task_idx" ON "deliveries" ("tenant_id", "endpoint_id", "task_id", "event_id")
  WHERE task_id IS NOT NULL AND status IN ('pending', 'held');

-- Times in ms; null where a phase was not reached or the connection was open already.
ALTER TABLE "attempts"
  ADD COLUMN "url" TEXT,
  ADD COLUMN "dns_ms" INTEGER,
  ADD COLUMN "connect_ms" INTEGER,
  ADD COLUMN "tls_ms" INTEGER,
  ADD COLUMN "first_byte_ms" INTEGER,
  ADD COLUMN "body_ms" INTEGER,
  ADD COLUMN "response_headers" JSON,
  ADD COLUMN "is_response_cut" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "replays" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "endpoint_id" TEXT COLLATE "C" NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'running',
    "filter" JSON NOT NULL,
    "max_per_second" INTEGER NOT NULL,
    "total" INTEGER NOT NULL,
    "replayed" INTEGER NOT NULL DEFAULT 0,
    "after_event_id" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "next_run_at" TIMESTAMPTZ(3),
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "replays_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE INDEX "replays_tenant_id_endpoint_id_id_idx" ON "replays"("tenant_id", "endpoint_id", "id");
ALTER TABLE "replays"
  ADD CONSTRAINT "replays_status_check" CHECK (status IN ('running', 'completed', 'cancelled')),
  ADD CONSTRAINT "replays_running_check" CHECK ((status = 'running') = (next_run_at IS NOT NULL)),
  ADD CONSTRAINT "replays_finished_check" CHECK ((status = 'running') = (finished_at IS NULL));
ALTER TABLE "replays" ADD CONSTRAINT "replays_tenant_id_endpoint_id_fkey" FOREIGN KEY ("tenant_id", "endpoint_id") REFERENCES "endpoints"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX "replays_due_idx" ON "replays" ("next_run_at") WHERE next_run_at IS NOT NULL;
