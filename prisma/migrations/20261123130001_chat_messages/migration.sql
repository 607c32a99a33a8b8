-- What is posted to chat workspaces, and what comes back from their buttons.
ALTER TABLE "integrations" ADD COLUMN "signing_secret" TEXT;
CREATE INDEX "integrations_chat_idx" ON "integrations" ("type", "tenant_id", "connected_at", "id")
  WHERE deleted_at IS NULL AND status <> 'disconnected' AND signing_secret IS NOT NULL;
CREATE INDEX "integrations_chat_by_id_idx" ON "integrations" ("id")
  WHERE deleted_at IS NULL AND status <> 'disconnected' AND signing_secret IS NOT NULL;

CREATE TABLE "chat_channels" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "integration_id" TEXT COLLATE "C" NOT NULL,
    "channel" TEXT COLLATE "C" NOT NULL,
    "next_post_at" TIMESTAMPTZ(3) NOT NULL,
    "wake_at" TIMESTAMPTZ(3),
    "claims" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "stopped_reason" TEXT,

    CONSTRAINT "chat_channels_pkey" PRIMARY KEY ("tenant_id","integration_id","channel")
);

CREATE TABLE "chat_messages" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "integration_id" TEXT COLLATE "C" NOT NULL,
    "event_id" TEXT COLLATE "C" NOT NULL,
    "event_type" TEXT NOT NULL,
    "channel" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'post',
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "settled_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "input_id" TEXT COLLATE "C",
    "posted_channel" TEXT,
    "posted_ts" TEXT,
    "response_url" TEXT,

    CONSTRAINT "chat_messages_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "chat_clicks" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "integration_id" TEXT COLLATE "C" NOT NULL,
    "signature" TEXT COLLATE "C" NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "chat_clicks_pkey" PRIMARY KEY ("tenant_id","integration_id","signature")
);

CREATE UNIQUE INDEX "chat_messages_once_key" ON "chat_messages"("tenant_id", "integration_id", "event_id", "channel", "kind");
CREATE INDEX "chat_messages_tenant_id_integration_id_id_idx" ON "chat_messages"("tenant_id", "integration_id", "id");
ALTER TABLE "chat_channels" ADD CONSTRAINT "chat_channels_tenant_id_integration_id_fkey" FOREIGN KEY ("tenant_id", "integration_id") REFERENCES "integrations"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_tenant_id_integration_id_fkey" FOREIGN KEY ("tenant_id", "integration_id") REFERENCES "integrations"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "chat_clicks" ADD CONSTRAINT "chat_clicks_tenant_id_integration_id_fkey" FOREIGN KEY ("tenant_id", "integration_id") REFERENCES "integrations"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "chat_channels" ADD CONSTRAINT "chat_channels_stopped_check" CHECK (stopped_reason IS NULL OR wake_at IS NULL);
ALTER TABLE "chat_messages"
  ADD CONSTRAINT "chat_messages_kind_check" CHECK (kind IN ('post', 'edit')),
  ADD CONSTRAINT "chat_messages_state_check" CHECK (state IN ('pending', 'posted', 'failed', 'skipped', 'expired')),
  ADD CONSTRAINT "chat_messages_pending_check" CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL)),
  ADD CONSTRAINT "chat_messages_settled_check" CHECK ((state = 'pending') = (settled_at IS NULL));

-- Channels that have something to post, and what they have: the oldest event first.
CREATE INDEX "chat_channels_wake_idx" ON "chat_channels" ("tenant_id", "wake_at") WHERE wake_at IS NOT NULL;
CREATE INDEX "chat_messages_pending_idx" ON "chat_messages" ("tenant_id", "integration_id", "channel", "event_id") WHERE state = 'pending';
-- The messages of a question, when somebody clicks.
CREATE INDEX "chat_messages_input_idx" ON "chat_messages" ("tenant_id", "integration_id", "input_id") WHERE input_id IS NOT NULL;
-- What became too old to be posted, or to be kept.
CREATE INDEX "chat_messages_age_idx" ON "chat_messages" ("created_at") WHERE state = 'pending';
CREATE INDEX "chat_messages_settled_idx" ON "chat_messages" ("settled_at") WHERE state <> 'pending';
CREATE INDEX "chat_clicks_age_idx" ON "chat_clicks" ("received_at");

-- Public events of a tenant reach nobody before it has a row here.
INSERT INTO "subscribed_tenants" ("tenant_id")
SELECT DISTINCT "tenant_id" FROM "integrations" WHERE "type" = 'slack' ON CONFLICT DO NOTHING;
