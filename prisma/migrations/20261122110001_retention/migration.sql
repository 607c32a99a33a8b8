-- The body of a settled receipt is removed after some time; the receipt stays. One that waits needs its body.
ALTER TABLE "inbound_events" ALTER COLUMN "body" DROP NOT NULL;
ALTER TABLE "inbound_events" ADD CONSTRAINT "inbound_events_body_check" CHECK (status <> 'received' OR body IS NOT NULL);
-- Bodies that are to be removed, oldest first: what has none any more is not in it.
CREATE INDEX "inbound_events_bodies_idx" ON "inbound_events" ("settled_at") WHERE settled_at IS NOT NULL AND body IS NOT NULL;

-- Drops a month of `events`, `deliveries` or `attempts`. False: another process was faster.
CREATE FUNCTION drop_event_partition(parent text, month date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  name text := parent || to_char(month, '_YYYY_MM');
BEGIN
  -- The lock of create_event_partitions: partitions of these tables are made and dropped by one process at a time.
  PERFORM pg_advisory_xact_lock(7261534);
  IF to_regclass(name) IS NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('DROP TABLE %I', name);
  RETURN true;
END $$;
