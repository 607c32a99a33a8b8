CREATE INDEX CONCURRENTLY "oauth_clients_registered_idx" ON "oauth_clients" ("registered_at") WHERE registered_at IS NOT NULL;
