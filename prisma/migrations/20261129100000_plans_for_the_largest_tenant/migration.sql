-- A plan that is kept does not know the tenant. From the mean it would take a tenant for some rows and read all of them,
-- which a large one pays for (decision 137). So each statement is planned for the largest tenant.
CREATE FUNCTION plan_for_largest_tenant(of_table regclass) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ALTER COLUMN tenant_id SET (n_distinct = 1, n_distinct_inherited = 1)', of_table);
END $$;

SELECT plan_for_largest_tenant(c.oid::regclass) FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'tenant_id';

-- As in 20261126100000, and with the line for the planner.
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
    PERFORM plan_for_largest_tenant(format('public.%I', name)::regclass);
  END LOOP;
EXCEPTION WHEN check_violation THEN
  -- Rows of the month are in a default partition already, as after months without a running service: it stays theirs.
  RAISE WARNING 'the month % stays in the default partitions', month;
END $$;

REVOKE EXECUTE ON FUNCTION plan_for_largest_tenant(regclass) FROM PUBLIC;
-- It counts from the next ANALYZE on. A table without statistics is left so.
DO $$
DECLARE
  known regclass;
BEGIN
  FOR known IN
    SELECT c.oid FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.reltuples > 0 AND a.attname = 'tenant_id'
  LOOP
    EXECUTE format('ANALYZE %s (tenant_id)', known);
  END LOOP;
END $$;
