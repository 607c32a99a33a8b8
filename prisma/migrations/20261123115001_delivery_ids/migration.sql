-- An id is looked up by itself. With the tenant before it, a statement that was planned while the month was empty took
-- this index for look-ups by event and endpoint, and passed over all deliveries of the tenant.
DROP INDEX "deliveries_tenant_id_id_idx";
CREATE INDEX "deliveries_id_idx" ON "deliveries"("id");
