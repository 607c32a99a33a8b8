-- What agents say and do while they work on tasks: how far the session of each task is, and its entries.
CREATE TABLE "task_sessions" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "task_id" TEXT COLLATE "C" NOT NULL,
    "fencing_token" INTEGER NOT NULL,
    "next_entry" INTEGER NOT NULL,
    "last_number" INTEGER NOT NULL,
    "bytes" BIGINT NOT NULL,
    "followed_until" TIMESTAMPTZ(3),

    CONSTRAINT "task_sessions_pkey" PRIMARY KEY ("tenant_id","task_id")
) WITH (fillfactor = 70);
ALTER TABLE "task_sessions"
  ADD CONSTRAINT "task_sessions_tenant_id_task_id_fkey" FOREIGN KEY ("tenant_id", "task_id") REFERENCES "tasks"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A row is what one call brought. Without a foreign key, so that a month can be dropped as a whole.
CREATE TABLE "session_batches" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "task_id" TEXT COLLATE "C" NOT NULL,
    "last_number" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "lease_id" TEXT COLLATE "C" NOT NULL,
    "agent_id" TEXT COLLATE "C" NOT NULL,
    "entries" JSON NOT NULL,

    CONSTRAINT "session_batches_pkey" PRIMARY KEY ("tenant_id","task_id","last_number","at")
) PARTITION BY RANGE ("at");
CREATE TABLE "session_batches_default" PARTITION OF "session_batches" DEFAULT;
-- Old rows are looked for in this partition alone; months go as a whole.
CREATE INDEX "session_batches_default_at_idx" ON "session_batches_default" ("tenant_id", "at");

SELECT plan_for_largest_tenant('task_sessions'), plan_for_largest_tenant('session_batches'),
  plan_for_largest_tenant('session_batches_default');

-- As in 20261129100000, and with the months of sessions.
CREATE OR REPLACE FUNCTION create_event_partitions(month date) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  first_day timestamptz := date_trunc('month', month::timestamp) AT TIME ZONE 'UTC';
  next_month timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') AT TIME ZONE 'UTC';
  parent text;
  name text;
  bounds text[];
BEGIN
  IF month IS NULL OR first_day < '2020-01-01Z' OR first_day > app_now() + interval '1 year' THEN
    RAISE EXCEPTION 'month must be between 2020-01-01 and a year from now';
  END IF;
  -- One maker at a time: others find the tables made.
  PERFORM pg_advisory_xact_lock(7261534);
  FOREACH parent IN ARRAY ARRAY['events', 'deliveries', 'attempts', 'session_batches'] LOOP
    name := parent || to_char(month, '_YYYY_MM');
    CONTINUE WHEN to_regclass(format('public.%I', name)) IS NOT NULL;
    bounds := CASE parent WHEN 'session_batches' THEN ARRAY[first_day::text, next_month::text]
      ELSE ARRAY['evt_' || ulid_prefix(first_day), 'evt_' || ulid_prefix(next_month)] END;
    -- Room on each page lets the claim of a delivery be written beside its row.
    EXECUTE format('CREATE TABLE public.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L) WITH (fillfactor = 85)',
      name, parent, bounds[1], bounds[2]);
    PERFORM plan_for_largest_tenant(format('public.%I', name)::regclass);
  END LOOP;
EXCEPTION WHEN check_violation THEN
  -- Rows of the month are in a default partition already, as after months without a running service: it stays theirs.
  RAISE WARNING 'the month % stays in the default partitions', month;
END $$;

-- As in 20261126100000, and with the months of sessions. False: another process was faster.
CREATE OR REPLACE FUNCTION drop_event_partition(parent text, month date) RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  name text := parent || to_char(month, '_YYYY_MM');
BEGIN
  IF parent IS NULL OR parent NOT IN ('events', 'deliveries', 'attempts', 'session_batches') THEN
    RAISE EXCEPTION 'parent must be events, deliveries, attempts or session_batches';
  END IF;
  IF month IS NULL OR (date_trunc('month', month::timestamp) + interval '1 month') AT TIME ZONE 'UTC' > app_now() THEN
    RAISE EXCEPTION 'month must be over';
  END IF;
  -- The lock of create_event_partitions: partitions of these tables are made and dropped by one process at a time.
  PERFORM pg_advisory_xact_lock(7261534);
  IF NOT EXISTS (
    SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = to_regclass(format('public.%I', parent)) AND c.relname = name
  ) THEN
    RETURN false;
  END IF;
  EXECUTE format('DROP TABLE public.%I', name);
  RETURN true;
END $$;

SELECT create_event_partitions((date_trunc('month', app_now() AT TIME ZONE 'UTC') + n * interval '1 month')::date)
FROM generate_series(0, 2) AS n;
