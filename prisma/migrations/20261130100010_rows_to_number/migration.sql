-- The public events of a transaction that wait for their numbers, in one row.
ALTER TABLE "outbox" ADD COLUMN "event_ids" TEXT[] COLLATE "C";
