-- The receiver goes from tenant to tenant to find whose secret signed a body, and reads a few integrations of each.
CREATE INDEX "integrations_by_webhook_idx" ON "integrations" ("type", "webhook_id", "tenant_id", "connected_at", "id")
  WHERE deleted_at IS NULL AND status = 'active' AND secret IS NOT NULL;
CREATE INDEX "integrations_by_type_idx" ON "integrations" ("type", "tenant_id", "connected_at", "id")
  WHERE deleted_at IS NULL AND status = 'active' AND secret IS NOT NULL;
CREATE INDEX "integrations_by_owner_idx" ON "integrations" ("type", lower(config ->> 'org_name'), "tenant_id", "connected_at", "id")
  WHERE deleted_at IS NULL AND status = 'active' AND secret IS NOT NULL;
-- An address of its own names an integration alone.
CREATE INDEX "integrations_by_id_idx" ON "integrations" ("id")
  WHERE deleted_at IS NULL AND status = 'active' AND secret IS NOT NULL;
