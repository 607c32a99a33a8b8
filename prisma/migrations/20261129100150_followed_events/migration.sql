-- How far a consumer has read the public events of a tenant, by their numbers. It moves with the consumer's effect.
CREATE TABLE "event_cursors" (
  "tenant_id" TEXT COLLATE "C" NOT NULL,
  "consumer" TEXT NOT NULL,
  "number" BIGINT NOT NULL,

  CONSTRAINT "event_cursors_pkey" PRIMARY KEY ("tenant_id", "consumer")
) WITH (fillfactor = 50);

-- What has a number already has outbox rows of its own.
INSERT INTO event_cursors (tenant_id, consumer, number)
SELECT tenant_id, 'facts.follow', last_number FROM event_counters;

SELECT plan_for_largest_tenant('event_cursors');
