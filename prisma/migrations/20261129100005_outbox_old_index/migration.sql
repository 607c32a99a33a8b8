-- Relays of the release before sort what is due instead, which is little. It waits for the lock as every migration does.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX "outbox_unsent_idx";
