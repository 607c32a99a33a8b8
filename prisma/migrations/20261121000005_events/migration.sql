CREATE TABLE "events" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "event_id" TEXT COLLATE "C" NOT NULL,
    "event_type" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "data" JSON NOT NULL,
    "facts" JSON,

    CONSTRAINT "events_pkey" PRIMARY KEY ("tenant_id","event_id")
) PARTITION BY RANGE ("event_id");

CREATE TABLE "event_numbers" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "number" BIGINT NOT NULL,
    "event_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "event_numbers_pkey" PRIMARY KEY ("tenant_id","number")
);

CREATE TABLE "event_counters" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "last_number" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "event_counters_pkey" PRIMARY KEY ("tenant_id")
);

CREATE TABLE "outbox" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "event_id" TEXT COLLATE "C" NOT NULL,
    "consumer" TEXT COLLATE "C" NOT NULL,
    "available_at" TIMESTAMPTZ(3) NOT NULL DEFAULT app_now(),
    "sent_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,
    "dead_at" TIMESTAMPTZ(3),

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("tenant_id","event_id","consumer")
);

CREATE UNIQUE INDEX "event_numbers_tenant_id_event_id_key" ON "event_numbers"("tenant_id", "event_id");

ALTER TABLE "outbox" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
-- What the relay has to send, and what it sent and still is owed.
CREATE INDEX "outbox_unsent_idx" ON "outbox" ("available_at", "event_id") WHERE sent_at IS NULL AND dead_at IS NULL;
CREATE INDEX "outbox_sent_idx" ON "outbox" ("sent_at") WHERE sent_at IS NOT NULL AND dead_at IS NULL;
