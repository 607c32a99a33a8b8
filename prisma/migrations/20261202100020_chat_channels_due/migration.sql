-- The channel that is due next is one row.
CREATE INDEX CONCURRENTLY "chat_channels_due_idx" ON "chat_channels" ("wake_at") WHERE wake_at IS NOT NULL;
