-- The sweep of the release before reads the primary key once a minute until its processes end. It waits for the lock as
-- every migration does.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX "step_durations_recent_idx";
