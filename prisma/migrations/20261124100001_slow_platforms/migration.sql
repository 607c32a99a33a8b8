-- Calls that took long, in a row. Integrations whose platform responds come first.
ALTER TABLE "platform_apis" ADD COLUMN "slow_calls" INTEGER NOT NULL DEFAULT 0;
CREATE INDEX "platform_apis_turn_idx" ON "platform_apis" ("slow_calls", "due_at") WHERE due_at IS NOT NULL;
DROP INDEX "platform_apis_due_idx";
