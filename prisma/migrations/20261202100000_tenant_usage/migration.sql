-- What a tenant used in a month (UTC). Once it is closed the month does not change any more.
CREATE TABLE "tenant_usage" (
  "tenant_id" TEXT COLLATE "C" NOT NULL,
  "month" DATE NOT NULL,
  "tasks_created" BIGINT NOT NULL DEFAULT 0,
  "tasks_completed" BIGINT NOT NULL DEFAULT 0,
  "runs" BIGINT NOT NULL DEFAULT 0,
  "events" BIGINT NOT NULL DEFAULT 0,
  "deliveries" BIGINT NOT NULL DEFAULT 0,
  "delivered" BIGINT NOT NULL DEFAULT 0,
  "attempts" BIGINT NOT NULL DEFAULT 0,
  "inbound_events" BIGINT NOT NULL DEFAULT 0,
  "model_calls" BIGINT NOT NULL DEFAULT 0,
  "input_tokens" BIGINT NOT NULL DEFAULT 0,
  "output_tokens" BIGINT NOT NULL DEFAULT 0,
  "cache_read_tokens" BIGINT NOT NULL DEFAULT 0,
  "cache_write_tokens" BIGINT NOT NULL DEFAULT 0,
  "cost" BIGINT NOT NULL DEFAULT 0,
  "storage_bytes" BIGINT NOT NULL DEFAULT 0,
  "storage_byte_days" BIGINT NOT NULL DEFAULT 0,
  "storage_days" INTEGER NOT NULL DEFAULT 0,
  "storage_on" DATE,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT app_now(),
  "closed_at" TIMESTAMPTZ(3),

  CONSTRAINT "tenant_usage_pkey" PRIMARY KEY ("tenant_id", "month"),
  CONSTRAINT "tenant_usage_month_check" CHECK (extract(day FROM month) = 1)
) WITH (fillfactor = 70);
CREATE INDEX "tenant_usage_month_tenant_id_idx" ON "tenant_usage" ("month", "tenant_id");

CREATE FUNCTION refuse_change_of_closed_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the usage of tenant % in % is closed', OLD.tenant_id, to_char(OLD.month, 'YYYY-MM');
END $$;
CREATE TRIGGER "tenant_usage_closed" BEFORE UPDATE ON "tenant_usage" FOR EACH ROW
WHEN (OLD.closed_at IS NOT NULL) EXECUTE FUNCTION refuse_change_of_closed_usage();

-- Rows of a month that have no sums, counted up to a position. They are counted twice: as they come (pass 1), and from the
-- start of the month before it is closed (pass 2).
CREATE TABLE "tenant_usage_counts" (
  "tenant_id" TEXT COLLATE "C" NOT NULL,
  "month" DATE NOT NULL,
  "source" TEXT NOT NULL,
  "pass" INTEGER NOT NULL,
  "position" TEXT COLLATE "C" NOT NULL,
  "counted" BIGINT NOT NULL,
  "delivered" BIGINT NOT NULL,
  "attempts" BIGINT NOT NULL,

  CONSTRAINT "tenant_usage_counts_pkey" PRIMARY KEY ("tenant_id", "month", "source", "pass"),
  CONSTRAINT "tenant_usage_counts_source_check" CHECK (source IN ('deliveries', 'inbound_events', 'runs'))
) WITH (fillfactor = 70);

SELECT plan_for_largest_tenant('tenant_usage'), plan_for_largest_tenant('tenant_usage_counts');

-- What analytics reads of other features.
CREATE VIEW "analytics_tenants" AS
  SELECT id AS tenant_id, slug, name, created_at FROM tenants WHERE removed_at IS NULL;
CREATE VIEW "analytics_deliveries" AS
  SELECT tenant_id, event_id AS key, status = 'delivered' AS is_delivered, attempts AS tries FROM deliveries;
CREATE VIEW "analytics_inbound_events" AS
  SELECT tenant_id, id AS key, false AS is_delivered, 0 AS tries FROM inbound_events;
CREATE VIEW "analytics_runs" AS
  SELECT tenant_id, id AS key, false AS is_delivered, 0 AS tries FROM workflow_runs;

-- The usage of all tenants as rows of the operator's tenant: others find none.
CREATE VIEW "operator_usage" AS
  SELECT 'tnt_00000000000000000000000000' AS tenant_id, u.tenant_id || ' ' || u.month AS id, u.tenant_id AS of_tenant, t.slug, t.name,
    u.month, u.tasks_created, u.tasks_completed, u.runs, u.events, u.deliveries, u.delivered, u.attempts, u.inbound_events,
    u.model_calls, u.input_tokens, u.output_tokens, u.cache_read_tokens, u.cache_write_tokens, u.cost, u.storage_bytes,
    u.storage_byte_days, u.storage_days, u.updated_at, u.closed_at
  FROM tenant_usage u JOIN analytics_tenants t ON t.tenant_id = u.tenant_id;
