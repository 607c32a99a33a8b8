-- Before that, the agent that gave a task back (lost_by) may not claim it again.
ALTER TABLE "tasks" ADD COLUMN "rests_until" TIMESTAMPTZ(3);

-- What an agent lost or gave back: it looks there last. Few rows: the claim ends it, and few tasks are given back.
CREATE INDEX "tasks_lost_idx" ON "tasks" ("tenant_id", "lost_by", "rank", "id") WHERE lost_by IS NOT NULL AND status IN ('created', 'open') AND NOT is_held;
