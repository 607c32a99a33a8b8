-- A link is looked up by its task's id alone. With the tenant in the index, a statement that was planned while the table was
-- empty took it for look-ups by the platform's id, and passed over all links of the tenant.
DROP INDEX "task_links_tenant_id_task_id_idx";
CREATE INDEX "task_links_task_id_idx" ON "task_links"("task_id");
