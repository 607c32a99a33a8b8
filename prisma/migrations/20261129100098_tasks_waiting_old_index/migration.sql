-- The index of the migration before holds what this one held. It waits for the lock as every migration does.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX "tasks_claim_of_project_idx";
