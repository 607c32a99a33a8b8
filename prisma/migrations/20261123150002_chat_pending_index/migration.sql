-- Made again: of indexes that cost the same to read, as all do while the table is empty, Postgres takes the one that was made last.
-- Statements that were planned then went through all messages that wait, by their age.
DROP INDEX "chat_messages_pending_idx";
CREATE INDEX "chat_messages_pending_idx" ON "chat_messages" ("tenant_id", "integration_id", "channel", "event_id") WHERE state = 'pending';
