-- What became too old to be kept.
CREATE INDEX "pull_request_stages_at_idx" ON "pull_request_stages"("at");
CREATE INDEX "platform_reconciles_finished_idx" ON "platform_reconciles" ("finished_at") WHERE finished_at IS NOT NULL;
