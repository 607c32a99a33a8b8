-- When its platform deleted it: a list, folder, space or goal, or a task that was never ours.
ALTER TABLE "platform_objects" ADD COLUMN "deleted_at" TIMESTAMPTZ(3);
