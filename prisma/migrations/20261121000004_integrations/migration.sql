CREATE TABLE "integrations" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "type" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "status_reason" TEXT,
    "config" JSONB NOT NULL DEFAULT '{}',
    "webhook_id" TEXT,
    "secret" TEXT,
    "token" TEXT,
    "connected_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "integrations_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "inbound_events" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "source" TEXT NOT NULL,
    "integration_ref" TEXT COLLATE "C" NOT NULL,
    "event" TEXT NOT NULL,
    "external_id" TEXT COLLATE "C",
    "dedupe_key" TEXT,
    "body" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'received',
    "settled_at" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "repeats" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "inbound_events_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "task_links" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "integration_ref" TEXT COLLATE "C" NOT NULL,
    "external_id" TEXT COLLATE "C" NOT NULL,
    "task_id" TEXT COLLATE "C" NOT NULL,
    "platform_status" TEXT,
    "field_dates" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "task_links_pkey" PRIMARY KEY ("tenant_id","integration_ref","external_id")
);

CREATE TABLE "platform_objects" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "integration_ref" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT NOT NULL,
    "external_id" TEXT COLLATE "C" NOT NULL,
    "data" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "platform_objects_pkey" PRIMARY KEY ("tenant_id","integration_ref","kind","external_id")
);

CREATE INDEX "integrations_tenant_id_connected_at_id_idx" ON "integrations"("tenant_id", "connected_at", "id");

CREATE UNIQUE INDEX "inbound_events_tenant_id_integration_ref_dedupe_key_key" ON "inbound_events"("tenant_id", "integration_ref", "dedupe_key");

CREATE INDEX "task_links_tenant_id_task_id_idx" ON "task_links"("tenant_id", "task_id");

ALTER TABLE "integrations" ADD CONSTRAINT "integrations_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "task_links" ADD CONSTRAINT "task_links_tenant_id_task_id_fkey" FOREIGN KEY ("tenant_id", "task_id") REFERENCES "tasks"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "integrations" ADD CONSTRAINT "integrations_status_check" CHECK (status IN ('active', 'degraded', 'disconnected'));
ALTER TABLE "inbound_events" ADD CONSTRAINT "inbound_events_status_check" CHECK (status IN ('received', 'applied', 'quarantined', 'ignored', 'failed'));

CREATE UNIQUE INDEX "integrations_webhook_id_key" ON "integrations" ("tenant_id", "type", "webhook_id") WHERE deleted_at IS NULL AND webhook_id IS NOT NULL;
-- The receiver finds the candidates of a signature before it knows the tenant.
CREATE INDEX "integrations_candidates_idx" ON "integrations" ("type", "webhook_id") WHERE deleted_at IS NULL AND status = 'active';
