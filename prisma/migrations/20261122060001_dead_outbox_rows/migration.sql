-- What consumers gave up on, counted at each scrape.
CREATE INDEX "outbox_dead_idx" ON "outbox" ("dead_at") WHERE dead_at IS NOT NULL;
