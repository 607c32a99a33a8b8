-- What calls to models cost, in micro-USD per million tokens. Tables start empty: operators enter prices.
CREATE TABLE "model_price_tables" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "model_price_tables_pkey" PRIMARY KEY ("tenant_id")
);
ALTER TABLE "model_price_tables"
  ADD CONSTRAINT "model_price_tables_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "model_prices" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "model" TEXT COLLATE "C" NOT NULL,
    "input" BIGINT NOT NULL,
    "output" BIGINT NOT NULL,
    "cache_read" BIGINT NOT NULL,
    "cache_write" BIGINT NOT NULL,

    CONSTRAINT "model_prices_pkey" PRIMARY KEY ("tenant_id","model")
);
ALTER TABLE "model_prices"
  ADD CONSTRAINT "model_prices_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "model_price_tables"("tenant_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Limits of what models are used, and how much of each is used in a period.
CREATE TABLE "budgets" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "scope" TEXT NOT NULL,
    "scope_id" TEXT COLLATE "C" NOT NULL,
    "unit" TEXT NOT NULL,
    "period" TEXT NOT NULL,
    "limit_amount" BIGINT NOT NULL,
    "warn_at_percent" INTEGER NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "budgets_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE INDEX "budgets_tenant_id_scope_scope_id_idx" ON "budgets"("tenant_id", "scope", "scope_id");
ALTER TABLE "budgets"
  ADD CONSTRAINT "budgets_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "budget_periods" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "budget_id" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "starts_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "spent" BIGINT NOT NULL DEFAULT 0,
    "reserved" BIGINT NOT NULL DEFAULT 0,
    "open_calls" INTEGER NOT NULL DEFAULT 0,
    "unpriced_calls" INTEGER NOT NULL DEFAULT 0,
    "estimated_calls" INTEGER NOT NULL DEFAULT 0,
    "warned_at" TIMESTAMPTZ(3),
    "exhausted_at" TIMESTAMPTZ(3),

    CONSTRAINT "budget_periods_pkey" PRIMARY KEY ("tenant_id","budget_id","key")
) WITH (fillfactor = 70);
ALTER TABLE "budget_periods"
  ADD CONSTRAINT "budget_periods_tenant_id_budget_id_fkey" FOREIGN KEY ("tenant_id", "budget_id") REFERENCES "budgets"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
-- Periods that are over are removed by it.
CREATE INDEX "budget_periods_ends_at_idx" ON "budget_periods" ("ends_at") WHERE ends_at IS NOT NULL;

-- Those that are used up now: few rows, which each claim reads.
CREATE INDEX "budget_periods_exhausted_idx" ON "budget_periods" ("tenant_id", "ends_at") WHERE exhausted_at IS NOT NULL;

-- A row is a call of an agent to a model. Without a foreign key, so that a month can be dropped as a whole.
CREATE TABLE "model_calls" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "lease_id" TEXT COLLATE "C" NOT NULL,
    "call_id" TEXT COLLATE "C" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "task_id" TEXT COLLATE "C" NOT NULL,
    "agent_id" TEXT COLLATE "C" NOT NULL,
    "role" TEXT NOT NULL,
    "project_id" TEXT COLLATE "C",
    "run_id" TEXT COLLATE "C",
    "model" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "input_tokens" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "cache_read_tokens" BIGINT NOT NULL,
    "cache_write_tokens" BIGINT NOT NULL,
    "cost" BIGINT,
    "reservations" JSONB NOT NULL,

    CONSTRAINT "model_calls_pkey" PRIMARY KEY ("tenant_id","lease_id","call_id","at")
) PARTITION BY RANGE ("at");
CREATE TABLE "model_calls_default" PARTITION OF "model_calls" DEFAULT;
-- Old rows are looked for in this partition alone; months go as a whole.
CREATE INDEX "model_calls_default_at_idx" ON "model_calls_default" ("tenant_id", "at");
-- Calls whose usage has not come: few rows, whatever the history.
CREATE INDEX "model_calls_due_at_idx" ON "model_calls" ("due_at") WHERE due_at IS NOT NULL;

-- What models were used, by hour and by day (UTC); of tasks and runs also in total.
CREATE TABLE "analytics_usage" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "dimension" TEXT NOT NULL,
    "grain" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "calls" BIGINT NOT NULL DEFAULT 0,
    "unpriced_calls" BIGINT NOT NULL DEFAULT 0,
    "estimated_calls" BIGINT NOT NULL DEFAULT 0,
    "input_tokens" BIGINT NOT NULL DEFAULT 0,
    "output_tokens" BIGINT NOT NULL DEFAULT 0,
    "cache_read_tokens" BIGINT NOT NULL DEFAULT 0,
    "cache_write_tokens" BIGINT NOT NULL DEFAULT 0,
    "cost" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "analytics_usage_pkey" PRIMARY KEY ("tenant_id","dimension","grain","at","key")
) WITH (fillfactor = 70);

SELECT plan_for_largest_tenant('model_price_tables'), plan_for_largest_tenant('model_prices'),
  plan_for_largest_tenant('budgets'), plan_for_largest_tenant('budget_periods'), plan_for_largest_tenant('model_calls'),
  plan_for_largest_tenant('model_calls_default'), plan_for_largest_tenant('analytics_usage');

-- As in 20261129100058, and with the months of model calls.
CREATE OR REPLACE FUNCTION create_event_partitions(month date) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  first_day timestamptz := date_trunc('month', month::timestamp) AT TIME ZONE 'UTC';
  next_month timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') AT TIME ZONE 'UTC';
  parent text;
  name text;
  bounds text[];
BEGIN
  IF month IS NULL OR first_day < '2020-01-01Z' OR first_day > app_now() + interval '1 year' THEN
    RAISE EXCEPTION 'month must be between 2020-01-01 and a year from now';
  END IF;
  -- One maker at a time: others find the tables made.
  PERFORM pg_advisory_xact_lock(7261534);
  FOREACH parent IN ARRAY ARRAY['events', 'deliveries', 'attempts', 'session_batches', 'model_calls'] LOOP
    name := parent || to_char(month, '_YYYY_MM');
    CONTINUE WHEN to_regclass(format('public.%I', name)) IS NOT NULL;
    bounds := CASE WHEN parent IN ('session_batches', 'model_calls') THEN ARRAY[first_day::text, next_month::text]
      ELSE ARRAY['evt_' || ulid_prefix(first_day), 'evt_' || ulid_prefix(next_month)] END;
    -- Room on each page lets the claim of a delivery be written beside its row.
    EXECUTE format('CREATE TABLE public.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L) WITH (fillfactor = 85)',
      name, parent, bounds[1], bounds[2]);
    PERFORM plan_for_largest_tenant(format('public.%I', name)::regclass);
  END LOOP;
EXCEPTION WHEN check_violation THEN
  -- Rows of the month are in a default partition already, as after months without a running service: it stays theirs.
  RAISE WARNING 'the month % stays in the default partitions', month;
END $$;

-- As in 20261129100058, and with the months of model calls. False: another process was faster.
CREATE OR REPLACE FUNCTION drop_event_partition(parent text, month date) RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  name text := parent || to_char(month, '_YYYY_MM');
BEGIN
  IF parent IS NULL OR parent NOT IN ('events', 'deliveries', 'attempts', 'session_batches', 'model_calls') THEN
    RAISE EXCEPTION 'parent must be events, deliveries, attempts, session_batches or model_calls';
  END IF;
  IF month IS NULL OR (date_trunc('month', month::timestamp) + interval '1 month') AT TIME ZONE 'UTC' > app_now() THEN
    RAISE EXCEPTION 'month must be over';
  END IF;
  -- The lock of create_event_partitions: partitions of these tables are made and dropped by one process at a time.
  PERFORM pg_advisory_xact_lock(7261534);
  IF NOT EXISTS (
    SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = to_regclass(format('public.%I', parent)) AND c.relname = name
  ) THEN
    RETURN false;
  END IF;
  EXECUTE format('DROP TABLE public.%I', name);
  RETURN true;
END $$;

SELECT create_event_partitions((date_trunc('month', app_now() AT TIME ZONE 'UTC') + n * interval '1 month')::date)
FROM generate_series(0, 2) AS n;
