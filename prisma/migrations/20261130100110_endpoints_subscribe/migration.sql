-- As for integrations, whose function names them: it reads only the tenant.
ALTER FUNCTION subscribe_tenant_of_integration() RENAME TO subscribe_tenant;
CREATE TRIGGER "endpoints_subscribe" AFTER INSERT ON "endpoints" FOR EACH ROW EXECUTE FUNCTION subscribe_tenant();
