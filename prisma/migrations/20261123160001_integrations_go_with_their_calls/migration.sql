-- A tenant that is removed loses its integrations first, with what belongs to them.
ALTER TABLE "platform_apis" DROP CONSTRAINT "platform_apis_tenant_id_integration_id_fkey",
  ADD CONSTRAINT "platform_apis_tenant_id_integration_id_fkey" FOREIGN KEY ("tenant_id", "integration_id") REFERENCES "integrations"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "platform_calls" DROP CONSTRAINT "platform_calls_tenant_id_integration_id_fkey",
  ADD CONSTRAINT "platform_calls_tenant_id_integration_id_fkey" FOREIGN KEY ("tenant_id", "integration_id") REFERENCES "platform_apis"("tenant_id", "integration_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "platform_reconciles" DROP CONSTRAINT "platform_reconciles_tenant_id_integration_id_fkey",
  ADD CONSTRAINT "platform_reconciles_tenant_id_integration_id_fkey" FOREIGN KEY ("tenant_id", "integration_id") REFERENCES "integrations"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
-- A reconciliation that is removed with its integration is found by it.
CREATE INDEX "platform_reconciles_tenant_id_integration_id_idx" ON "platform_reconciles"("tenant_id", "integration_id");
