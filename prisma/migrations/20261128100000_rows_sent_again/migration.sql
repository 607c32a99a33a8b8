ALTER TABLE "outbox" ADD COLUMN "first_sent_at" TIMESTAMPTZ(3);
-- How long a row has been in its queue is seen at the front of this index once it was sent again, and of the sent one before.
-- locks: for as long as reading the outbox takes, which holds what is on its way alone: milliseconds
CREATE INDEX "outbox_sent_again_idx" ON "outbox" ("first_sent_at")
  WHERE first_sent_at IS NOT NULL AND sent_at IS NOT NULL AND dead_at IS NULL;
