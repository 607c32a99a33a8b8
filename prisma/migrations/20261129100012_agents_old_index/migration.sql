-- Sweeps of the release before read the agents instead. It waits for the lock as every migration does.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX "agents_presence_idx";
