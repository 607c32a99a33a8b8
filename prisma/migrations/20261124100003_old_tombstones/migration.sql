-- Deletions of tasks never known, and news of things that are no task yet: kept for some time after they were last needed.
ALTER TABLE "platform_objects" ADD COLUMN "needed_at" TIMESTAMPTZ(3);
UPDATE "platform_objects" SET "needed_at" = app_now() WHERE kind IN ('task', 'unlabelled');
CREATE INDEX "platform_objects_needed_idx" ON "platform_objects" ("needed_at") WHERE needed_at IS NOT NULL;
