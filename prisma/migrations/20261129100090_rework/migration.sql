-- How often work was sent back since a person last decided, and how often it is before a person decides.
ALTER TABLE "tasks" ADD COLUMN "rework_rounds" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "projects" ADD COLUMN "max_rework_rounds" INTEGER NOT NULL DEFAULT 3;

-- The branch that it is to be merged into, whether that is no longer possible (NULL: the source host did not say), and whether
-- its own branch is in another repository, where anybody can give it any name.
ALTER TABLE "pull_requests"
  ADD COLUMN "base" TEXT,
  ADD COLUMN "has_conflict" BOOLEAN,
  ADD COLUMN "is_fork" BOOLEAN NOT NULL DEFAULT FALSE;
