-- A rotated secret is valid beside the new one for a while; and what an integration is seen to do.
ALTER TABLE "integrations"
  ADD COLUMN "previous_secret" TEXT,
  ADD COLUMN "previous_secret_until" TIMESTAMPTZ(3),
  ADD COLUMN "last_received_at" TIMESTAMPTZ(3),
  ADD COLUMN "last_applied_at" TIMESTAMPTZ(3),
  ADD COLUMN "last_error_at" TIMESTAMPTZ(3),
  ADD COLUMN "last_error_reason" TEXT,
  ADD COLUMN "silence_check_at" TIMESTAMPTZ(3);
ALTER TABLE "integrations"
  ADD CONSTRAINT "integrations_previous_secret_check" CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL)),
  ADD CONSTRAINT "integrations_last_error_check" CHECK ((last_error_at IS NULL) = (last_error_reason IS NULL));
CREATE INDEX "integrations_silence_idx" ON "integrations" ("silence_check_at") WHERE silence_check_at IS NOT NULL;

-- A degraded integration receives as well: only a disconnected one does not.
DROP INDEX "integrations_by_webhook_idx", "integrations_by_type_idx", "integrations_by_owner_idx", "integrations_by_id_idx";
CREATE INDEX "integrations_by_webhook_idx" ON "integrations" ("type", "webhook_id", "tenant_id", "connected_at", "id")
  WHERE deleted_at IS NULL AND status <> 'disconnected' AND secret IS NOT NULL;
CREATE INDEX "integrations_by_type_idx" ON "integrations" ("type", "tenant_id", "connected_at", "id")
  WHERE deleted_at IS NULL AND status <> 'disconnected' AND secret IS NOT NULL;
CREATE INDEX "integrations_by_owner_idx" ON "integrations" ("type", lower(config ->> 'org_name'), "tenant_id", "connected_at", "id")
  WHERE deleted_at IS NULL AND status <> 'disconnected' AND secret IS NOT NULL;
CREATE INDEX "integrations_by_id_idx" ON "integrations" ("id")
  WHERE deleted_at IS NULL AND status <> 'disconnected' AND secret IS NOT NULL;
