-- The apps may connect as a role that owns nothing and may not change tables. What they make and drop by the month they do
-- through these two functions, which run with the rights of the role that migrates, look nothing up outside `public`, and
-- take nothing but the months of three tables.
CREATE OR REPLACE FUNCTION create_event_partitions(month date) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  first_day timestamptz := date_trunc('month', month::timestamp) AT TIME ZONE 'UTC';
  next_month timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') AT TIME ZONE 'UTC';
  parent text;
  name text;
BEGIN
  IF month IS NULL OR first_day < '2020-01-01Z' OR first_day > app_now() + interval '1 year' THEN
    RAISE EXCEPTION 'month must be between 2020-01-01 and a year from now';
  END IF;
  -- One maker at a time: others find the tables made.
  PERFORM pg_advisory_xact_lock(7261534);
  FOREACH parent IN ARRAY ARRAY['events', 'deliveries', 'attempts'] LOOP
    name := parent || to_char(month, '_YYYY_MM');
    CONTINUE WHEN to_regclass(format('public.%I', name)) IS NOT NULL;
    -- Room on each page lets the claim of a delivery be written beside its row.
    EXECUTE format('CREATE TABLE public.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L) WITH (fillfactor = 85)',
      name, parent, 'evt_' || ulid_prefix(first_day), 'evt_' || ulid_prefix(next_month));
  END LOOP;
EXCEPTION WHEN check_violation THEN
  -- Rows of the month are in a default partition already, as after months without a running service: it stays theirs.
  RAISE WARNING 'the month % stays in the default partitions', month;
END $$;

-- Drops a month of `events`, `deliveries` or `attempts` that is over. False: another process was faster.
CREATE OR REPLACE FUNCTION drop_event_partition(parent text, month date) RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  name text := parent || to_char(month, '_YYYY_MM');
BEGIN
  IF parent IS NULL OR parent NOT IN ('events', 'deliveries', 'attempts') THEN
    RAISE EXCEPTION 'parent must be events, deliveries or attempts';
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

-- `npm run cmd -- db:roles` grants them to the role of the apps; the role that migrates owns them.
REVOKE EXECUTE ON FUNCTION create_event_partitions(date), drop_event_partition(text, date) FROM PUBLIC;
