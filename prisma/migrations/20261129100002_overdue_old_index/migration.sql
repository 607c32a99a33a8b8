-- It takes milliseconds, and waits for the lock as every migration does.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX "analytics_task_facts_due_idx";
