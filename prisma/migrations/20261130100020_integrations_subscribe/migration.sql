-- Public events of a tenant leave the service only if it has a row in subscribed_tenants. Processes of every release add it.
CREATE FUNCTION subscribe_tenant_of_integration() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO subscribed_tenants (tenant_id) VALUES (NEW.tenant_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER "integrations_subscribe" AFTER INSERT ON "integrations"
  FOR EACH ROW EXECUTE FUNCTION subscribe_tenant_of_integration();

INSERT INTO "subscribed_tenants" ("tenant_id") SELECT DISTINCT "tenant_id" FROM "integrations" ON CONFLICT DO NOTHING;
