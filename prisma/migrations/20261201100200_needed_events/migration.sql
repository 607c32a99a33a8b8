-- Events that are still needed are kept in the default partition when their month is dropped: those that a consumer gave up on, and those
-- of open deliveries.
CREATE OR REPLACE FUNCTION drop_event_partition(parent text, month date) RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  name text := parent || to_char(month, '_YYYY_MM');
  from_id text;
  before_id text;
  tenants text[];
  ids text[];
BEGIN
  IF parent IS NULL OR parent NOT IN ('events', 'deliveries', 'attempts', 'session_batches', 'model_calls') THEN
    RAISE EXCEPTION 'parent must be events, deliveries, attempts, session_batches or model_calls';
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
  IF parent <> 'events' THEN
    EXECUTE format('DROP TABLE public.%I', name);
    RETURN true;
  END IF;
  from_id := 'evt_' || ulid_prefix(date_trunc('month', month::timestamp) AT TIME ZONE 'UTC');
  before_id := 'evt_' || ulid_prefix((date_trunc('month', month::timestamp) + interval '1 month') AT TIME ZONE 'UTC');
  SELECT array_agg(needed.tenant_id), array_agg(needed.event_id) INTO tenants, ids FROM (
    SELECT tenant_id, event_id FROM public.outbox
    WHERE dead_at IS NOT NULL AND event_id >= from_id AND event_id < before_id
    UNION
    SELECT tenant_id, event_id FROM public.deliveries
    WHERE status = 'pending' AND event_id >= from_id AND event_id < before_id
    UNION
    SELECT tenant_id, event_id FROM public.deliveries
    WHERE status = 'held' AND event_id >= from_id AND event_id < before_id
  ) AS needed;
  EXECUTE format('ALTER TABLE public.events DETACH PARTITION public.%I', name);
  EXECUTE format(
    'INSERT INTO public.events (tenant_id, event_id, event_type, occurred_at, data, facts)
     SELECT e.tenant_id, e.event_id, e.event_type, e.occurred_at, e.data, e.facts
     FROM unnest($1, $2) AS needed (tenant_id, event_id)
     CROSS JOIN LATERAL (SELECT * FROM public.%I
       WHERE tenant_id = needed.tenant_id AND event_id = needed.event_id LIMIT 1) AS e', name) USING tenants, ids;
  EXECUTE format('DROP TABLE public.%I', name);
  RETURN true;
END $$;
