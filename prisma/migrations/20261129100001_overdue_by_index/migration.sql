-- Overdue tasks are counted in the index alone: by the old one each cost a page of the table.
CREATE INDEX CONCURRENTLY "analytics_task_facts_overdue_idx" ON "analytics_task_facts" ("tenant_id", "due_date")
  INCLUDE ("created_at", "role") WHERE due_date IS NOT NULL AND status NOT IN ('completed', 'failed', 'cancelled');
