-- What artifacts are, where that is a text such as a patch; and the kind of patches. Older processes know neither.
ALTER TABLE "artifacts"
  ADD COLUMN "content" TEXT,
  DROP CONSTRAINT "artifacts_kind_check",
  ADD CONSTRAINT "artifacts_kind_check" CHECK (kind IN ('pull_request', 'commit', 'branch', 'file', 'test_report', 'link', 'diff')) NOT VALID;
