-- Programs that act for people. `secret` is sealed, and null for public clients.
CREATE TABLE "oauth_clients" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "secret" TEXT,
    "redirect_uris" TEXT[],
    "scopes" TEXT[],
    "tier" TEXT NOT NULL DEFAULT 'standard',
    "rate_limit" INTEGER,
    "origin" TEXT,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT app_now(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT app_now(),
    "deleted_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "oauth_clients_pkey" PRIMARY KEY ("tenant_id","id")
);

-- What the authorization server keeps: grants, codes, tokens and sign-ins in progress, each under the SHA-256 of its value.
CREATE TABLE "oauth_records" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "hash" BYTEA NOT NULL,
    "kind" TEXT NOT NULL,
    "client_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C",
    "grant_hash" BYTEA,
    "scopes" TEXT[],
    "payload" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT app_now(),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "consumed_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_records_pkey" PRIMARY KEY ("tenant_id","hash")
);

-- Who presents one of these says nothing about a tenant: it follows from what is found.
CREATE UNIQUE INDEX "oauth_clients_id_key" ON "oauth_clients"("id");
CREATE UNIQUE INDEX "oauth_records_hash_key" ON "oauth_records"("hash");

CREATE INDEX "oauth_records_tenant_id_grant_hash_idx" ON "oauth_records"("tenant_id", "grant_hash");
CREATE INDEX "oauth_records_tenant_id_client_id_user_id_idx" ON "oauth_records"("tenant_id", "client_id", "user_id");
CREATE INDEX "oauth_records_expires_at_idx" ON "oauth_records"("expires_at");

ALTER TABLE "oauth_clients" ADD CONSTRAINT "oauth_clients_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "oauth_records" ADD CONSTRAINT "oauth_records_tenant_id_client_id_fkey" FOREIGN KEY ("tenant_id", "client_id") REFERENCES "oauth_clients"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "oauth_records" ADD CONSTRAINT "oauth_records_tenant_id_user_id_fkey" FOREIGN KEY ("tenant_id", "user_id") REFERENCES "users"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
-- A grant takes what it gave along, and gives nothing once it is gone.
ALTER TABLE "oauth_records" ADD CONSTRAINT "oauth_records_tenant_id_grant_hash_fkey" FOREIGN KEY ("tenant_id", "grant_hash") REFERENCES "oauth_records"("tenant_id", "hash") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "oauth_clients" ADD CONSTRAINT "oauth_clients_tier_check" CHECK (tier IN ('basic', 'standard', 'enterprise'));
ALTER TABLE "oauth_records" ADD CONSTRAINT "oauth_records_kind_check" CHECK (kind IN ('interaction', 'grant', 'authorization_code', 'access_token', 'refresh_token'));
CREATE UNIQUE INDEX "oauth_clients_origin_key" ON "oauth_clients" ("tenant_id", "origin") WHERE origin IS NOT NULL AND deleted_at IS NULL;
