CREATE TABLE "api_keys" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "prefix" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "scopes" TEXT[],
    "tier" TEXT NOT NULL DEFAULT 'standard',
    "rate_limit" INTEGER,
    "agent_id" TEXT COLLATE "C",
    "origin" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT app_now(),
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "idempotency_records" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "credential_id" TEXT COLLATE "C" NOT NULL,
    "route" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "status" INTEGER NOT NULL,
    "response" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT app_now(),

    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("tenant_id","credential_id","route","key")
);

CREATE TABLE "rate_windows" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_windows_pkey" PRIMARY KEY ("key")
);

CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys"("hash");

CREATE INDEX "idempotency_records_created_at_idx" ON "idempotency_records"("created_at");

ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_tenant_id_agent_id_fkey" FOREIGN KEY ("tenant_id", "agent_id") REFERENCES "agents"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "rate_windows" SET UNLOGGED;
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_tier_check" CHECK (tier IN ('basic', 'standard', 'enterprise'));
CREATE UNIQUE INDEX "api_keys_origin_key" ON "api_keys" ("tenant_id", "origin") WHERE origin IS NOT NULL AND revoked_at IS NULL;
