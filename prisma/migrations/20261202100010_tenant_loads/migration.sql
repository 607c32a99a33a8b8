-- What the callers of a tenant cost each process in a minute; '': all tenants that are not among the loudest of theirs. Lost
-- when Postgres crashes, and removed after some hours.
CREATE UNLOGGED TABLE "tenant_loads" (
  "tenant_id" TEXT COLLATE "C" NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "calls" BIGINT NOT NULL,
  "database_ms" BIGINT NOT NULL,
  "bytes" BIGINT NOT NULL,
  "received" BIGINT NOT NULL,
  "attempts" BIGINT NOT NULL,

  CONSTRAINT "tenant_loads_pkey" PRIMARY KEY ("tenant_id", "at")
) WITH (fillfactor = 70);
CREATE INDEX "tenant_loads_at_idx" ON "tenant_loads" ("at");
SELECT plan_for_largest_tenant('tenant_loads');
