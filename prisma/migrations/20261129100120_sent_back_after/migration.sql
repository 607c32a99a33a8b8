-- The newest artifact of the task when it was sent back for a commit: what is pushed after it mends that commit.
ALTER TABLE "tasks" ADD COLUMN "sent_back_after" TEXT;
