-- Which attempt the entries of a session belong to. Null in rows of earlier versions.
ALTER TABLE "session_batches" ADD COLUMN "attempt" INTEGER;
