-- Calls to source hosts: a pull request of a task. Older processes know no such call.
ALTER TABLE "platform_calls"
  DROP CONSTRAINT "platform_calls_kind_check",
  ADD CONSTRAINT "platform_calls_kind_check" CHECK (kind IN ('task', 'status', 'comment', 'question', 'page', 'pull_request')) NOT VALID;
