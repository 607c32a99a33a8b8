CREATE INDEX CONCURRENTLY "rate_windows_expire_idx" ON "rate_windows" ("expire");
