-- Calls to source hosts: what failed checks say. Older processes know no such call.
ALTER TABLE "platform_calls"
  DROP CONSTRAINT "platform_calls_kind_check",
  ADD CONSTRAINT "platform_calls_kind_check" CHECK (kind IN ('task', 'status', 'comment', 'question', 'page', 'pull_request', 'review', 'checks')) NOT VALID;
