-- Keys: what changed and by whom, and the text that works beside the new one for a while after a rotation.
ALTER TABLE "api_keys"
    ADD COLUMN "created_by" TEXT COLLATE "C" NOT NULL DEFAULT 'system',
    ADD COLUMN "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT app_now(),
    ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1,
    ADD COLUMN "previous_hash" BYTEA,
    ADD COLUMN "previous_valid_until" TIMESTAMPTZ(3);
UPDATE "api_keys" SET "updated_at" = "created_at";

CREATE UNIQUE INDEX "api_keys_previous_hash_key" ON "api_keys"("previous_hash");
CREATE INDEX "api_keys_tenant_id_created_at_id_idx" ON "api_keys"("tenant_id", "created_at", "id");
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_previous_check"
    CHECK ((previous_hash IS NULL) = (previous_valid_until IS NULL));

CREATE TABLE "users" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "email" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "scopes" TEXT[],
    "password" TEXT,
    "created_by" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT app_now(),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT app_now(),
    "last_signed_in_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "users_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "sessions" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT app_now(),
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT app_now(),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "access_links" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "purpose" TEXT NOT NULL,
    "user_id" TEXT COLLATE "C",
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT app_now(),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "access_links_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "audit_log" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "action" TEXT COLLATE "C" NOT NULL,
    "actor_id" TEXT COLLATE "C" NOT NULL,
    "credential_id" TEXT COLLATE "C",
    "target_id" TEXT COLLATE "C",
    "data" JSONB NOT NULL DEFAULT '{}',
    "remote_address" TEXT,
    "request_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT app_now(),

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE INDEX "users_tenant_id_created_at_id_idx" ON "users"("tenant_id", "created_at", "id");
CREATE UNIQUE INDEX "sessions_token_hash_key" ON "sessions"("token_hash");
CREATE INDEX "sessions_tenant_id_user_id_idx" ON "sessions"("tenant_id", "user_id");
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");
CREATE UNIQUE INDEX "access_links_token_hash_key" ON "access_links"("token_hash");
CREATE INDEX "access_links_expires_at_idx" ON "access_links"("expires_at");
CREATE INDEX "audit_log_tenant_id_created_at_id_idx" ON "audit_log"("tenant_id", "created_at", "id");
CREATE INDEX "audit_log_tenant_id_action_created_at_id_idx" ON "audit_log"("tenant_id", "action", "created_at", "id");
CREATE INDEX "audit_log_tenant_id_actor_id_created_at_id_idx" ON "audit_log"("tenant_id", "actor_id", "created_at", "id");
CREATE INDEX "audit_log_tenant_id_target_id_created_at_id_idx" ON "audit_log"("tenant_id", "target_id", "created_at", "id");

ALTER TABLE "users" ADD CONSTRAINT "users_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_tenant_id_user_id_fkey" FOREIGN KEY ("tenant_id", "user_id") REFERENCES "users"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "access_links" ADD CONSTRAINT "access_links_tenant_id_user_id_fkey" FOREIGN KEY ("tenant_id", "user_id") REFERENCES "users"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- An e-mail address signs in without saying which tenant: it is unique over all of them.
CREATE UNIQUE INDEX "users_email_key" ON "users" ("email") WHERE deleted_at IS NULL;
ALTER TABLE "users" ADD CONSTRAINT "users_email_check" CHECK (email = lower(email));
ALTER TABLE "access_links" ADD CONSTRAINT "access_links_purpose_check"
    CHECK (purpose = 'first_admin' AND user_id IS NULL OR purpose = 'set_password' AND user_id IS NOT NULL);

-- What was done stays as it was written, whoever asks.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END
$$;
CREATE TRIGGER "audit_log_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_log"
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
