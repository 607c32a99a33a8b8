-- The commit for whose red checks or conflicts the work was sent back: NULL where it was not, or for other reasons.
ALTER TABLE "tasks" ADD COLUMN "sent_back_sha" TEXT;
