-- Since when no run of it can start. Null: runs can start.
ALTER TABLE "workflows" ADD COLUMN "archived_at" TIMESTAMPTZ(3);
