CREATE INDEX CONCURRENTLY "inbound_events_early_checks_idx" ON "inbound_events" ("tenant_id", "integration_ref", "external_id", "id")
    WHERE status = 'ignored' AND outcome = 'no_pull_request: no known pull request has this commit';
