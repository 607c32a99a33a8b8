ALTER TABLE "events" ADD COLUMN "traceparent" TEXT;
ALTER TABLE "outbox" ADD COLUMN "traceparent" TEXT;
ALTER TABLE "tasks" ADD COLUMN "traceparent" TEXT;
