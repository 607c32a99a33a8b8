CREATE TABLE "endpoints" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "secret" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "endpoints_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "deliveries" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "event_id" TEXT COLLATE "C" NOT NULL,
    "endpoint_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "queued_until" TIMESTAMPTZ(3),
    "sending_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("tenant_id","event_id","endpoint_id")
) PARTITION BY RANGE ("event_id");

CREATE TABLE "attempts" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "event_id" TEXT COLLATE "C" NOT NULL,
    "endpoint_id" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "status" INTEGER,
    "outcome" TEXT NOT NULL,
    "error" TEXT,
    "response" TEXT,

    CONSTRAINT "attempts_pkey" PRIMARY KEY ("tenant_id","event_id","endpoint_id","number")
) PARTITION BY RANGE ("event_id");

CREATE INDEX "endpoints_tenant_id_created_at_id_idx" ON "endpoints"("tenant_id", "created_at", "id");

CREATE INDEX "deliveries_tenant_id_endpoint_id_event_id_idx" ON "deliveries"("tenant_id", "endpoint_id", "event_id");

CREATE INDEX "deliveries_tenant_id_id_idx" ON "deliveries"("tenant_id", "id");

ALTER TABLE "endpoints" ADD CONSTRAINT "endpoints_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_tenant_id_event_id_fkey" FOREIGN KEY ("tenant_id", "event_id") REFERENCES "events"("tenant_id", "event_id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_tenant_id_endpoint_id_fkey" FOREIGN KEY ("tenant_id", "endpoint_id") REFERENCES "endpoints"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "attempts" ADD CONSTRAINT "attempts_tenant_id_event_id_endpoint_id_fkey" FOREIGN KEY ("tenant_id", "event_id", "endpoint_id") REFERENCES "deliveries"("tenant_id", "event_id", "endpoint_id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "endpoints" ADD CONSTRAINT "endpoints_status_check" CHECK (status IN ('active', 'failing', 'paused', 'disabled'));
ALTER TABLE "deliveries"
  ADD CONSTRAINT "deliveries_status_check" CHECK (status IN ('pending', 'delivered', 'dead')),
  ADD CONSTRAINT "deliveries_pending_check" CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL));

-- The sweep of due deliveries.
CREATE INDEX "deliveries_due_idx" ON "deliveries" ("next_attempt_at") WHERE status = 'pending';
-- An endpoint's backlog, oldest first.
CREATE INDEX "deliveries_endpoint_due_idx" ON "deliveries" ("tenant_id", "endpoint_id", "next_attempt_at") WHERE status = 'pending';

-- events, deliveries and attempts have the same monthly partitions, so that a month can be dropped as a whole
-- (attempts first). The default partitions take what no month covers.
CREATE TABLE "events_default" PARTITION OF "events" DEFAULT;
CREATE TABLE "deliveries_default" PARTITION OF "deliveries" DEFAULT;
CREATE TABLE "attempts_default" PARTITION OF "attempts" DEFAULT;

CREATE FUNCTION create_event_partitions(month date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first_day timestamptz := date_trunc('month', month::timestamp) AT TIME ZONE 'UTC';
  next_month timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') AT TIME ZONE 'UTC';
  parent text;
  name text;
BEGIN
  -- One maker at a time: others find the tables made.
  PERFORM pg_advisory_xact_lock(7261534);
  FOREACH parent IN ARRAY ARRAY['events', 'deliveries', 'attempts'] LOOP
    name := parent || to_char(month, '_YYYY_MM');
    CONTINUE WHEN to_regclass(name) IS NOT NULL;
    -- Room on each page lets the claim of a delivery be written beside its row.
    EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L) WITH (fillfactor = 85)',
      name, parent, 'evt_' || ulid_prefix(first_day), 'evt_' || ulid_prefix(next_month));
  END LOOP;
EXCEPTION WHEN check_violation THEN
  -- Rows of the month are in a default partition already, as after months without a running service: it stays theirs.
  RAISE WARNING 'the month % stays in the default partitions', month;
END $$;

SELECT create_event_partitions((date_trunc('month', now() AT TIME ZONE 'UTC') + n * interval '1 month')::date)
FROM generate_series(-1, 2) AS n;
