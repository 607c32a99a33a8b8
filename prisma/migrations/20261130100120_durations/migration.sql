-- How often work that was handed in was opened again, and when the task was opened again last.
ALTER TABLE "tasks" ADD COLUMN "sent_back" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "reopened_at" TIMESTAMPTZ(3);

-- The agent that completed the task, or "". Without `sent_back` the facts are those of an earlier version: they count in no
-- duration until they are recorded again.
ALTER TABLE "analytics_task_facts" ADD COLUMN "agent" TEXT NOT NULL DEFAULT '', ADD COLUMN "sent_back" INTEGER,
ADD COLUMN "ready_at" TIMESTAMPTZ(3);

CREATE OR REPLACE VIEW "analytics_task_view" AS
  SELECT tenant_id, id AS task_id, coalesce(assigned_role, '') AS role, status, created_at, due_date, first_claimed_at,
         completed_at, code_quality, requirements_clarity, version,
         CASE WHEN status = 'completed' AND starts_with(completed_by, 'agt_') THEN completed_by ELSE '' END AS agent,
         sent_back, coalesce(reopened_at, created_at) AS ready_at
  FROM tasks;

-- How long tasks and steps took that were completed on a day. Element n of a distribution counts those in bucket n.
CREATE TABLE "analytics_durations" (
  "tenant_id" TEXT COLLATE "C" NOT NULL,
  "dimension" TEXT NOT NULL,
  "day" DATE NOT NULL,
  "key" TEXT NOT NULL,
  "completed" INTEGER NOT NULL DEFAULT 0,
  "reworked" INTEGER NOT NULL DEFAULT 0,
  "rework_rounds" INTEGER NOT NULL DEFAULT 0,
  "cycle_ms" BIGINT NOT NULL DEFAULT 0,
  "waiting_ms" BIGINT NOT NULL DEFAULT 0,
  "cycle" INTEGER[] NOT NULL DEFAULT '{0}',
  "waiting" INTEGER[] NOT NULL DEFAULT '{0}',

  CONSTRAINT "analytics_durations_pkey" PRIMARY KEY ("tenant_id", "dimension", "day", "key"),
  CONSTRAINT "analytics_durations_dimension_check" CHECK (dimension IN ('tasks', 'role', 'agent', 'steps', 'step'))
) WITH (fillfactor = 50);

SELECT plan_for_largest_tenant('analytics_durations');

-- The buckets of a DDSketch with a relative accuracy of 5 %: each ends 21/19 times as high as the one before. The first has
-- everything up to a second.
CREATE FUNCTION duration_bucket(ms BIGINT) RETURNS INTEGER LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT 1 + least(ceil(ln(greatest(ms, 1000) / 1000::float8) / ln(21 / 19::float8))::int, 255)
$$;

CREATE FUNCTION count_in_bucket(counts INTEGER[], bucket INTEGER, n INTEGER) RETURNS INTEGER[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF bucket IS NOT NULL THEN
    counts[bucket] := coalesce(counts[bucket], 0) + n;
  END IF;
  RETURN counts;
END $$;
CREATE AGGREGATE distribution_of(bucket INTEGER, n INTEGER) (SFUNC = count_in_bucket, STYPE = INTEGER[], INITCOND = '{0}');

CREATE FUNCTION add_distributions(one INTEGER[], other INTEGER[]) RETURNS INTEGER[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg(coalesce(n, 0) + coalesce(m, 0) ORDER BY bucket) FROM unnest(one, other) WITH ORDINALITY AS u (n, m, bucket)
$$;

-- Adds what was completed, or takes it away where `sign` is -1. In the order of the key, so that writers do not wait for
-- each other in a circle.
CREATE FUNCTION add_durations(parts JSON) RETURNS void LANGUAGE sql AS $$
  INSERT INTO analytics_durations AS r (tenant_id, dimension, day, key, completed, reworked, rework_rounds, cycle_ms,
    waiting_ms, cycle, waiting)
  SELECT * FROM (
    SELECT tenant_id, dimension, day, key, sum(sign) AS completed, sum(sign * (rounds > 0)::int) AS reworked,
      sum(sign * rounds) AS rework_rounds, coalesce(sum(sign * cycle_ms), 0) AS cycle_ms,
      coalesce(sum(sign * waiting_ms), 0) AS waiting_ms,
      distribution_of(duration_bucket(cycle_ms), sign) AS cycle, distribution_of(duration_bucket(waiting_ms), sign) AS waiting
    FROM json_to_recordset(parts) AS p (tenant_id text, dimension text, day date, key text, sign int, rounds int,
      cycle_ms bigint, waiting_ms bigint)
    GROUP BY 1, 2, 3, 4
  ) AS d
  WHERE (completed, reworked, rework_rounds, cycle_ms, waiting_ms) <> (0, 0, 0, 0, 0) OR 0 <> ANY (cycle || waiting)
  ORDER BY 1, 2, 3, 4
  ON CONFLICT (tenant_id, dimension, day, key) DO UPDATE SET
    completed = r.completed + excluded.completed, reworked = r.reworked + excluded.reworked,
    rework_rounds = r.rework_rounds + excluded.rework_rounds, cycle_ms = r.cycle_ms + excluded.cycle_ms,
    waiting_ms = r.waiting_ms + excluded.waiting_ms, cycle = add_distributions(r.cycle, excluded.cycle),
    waiting = add_distributions(r.waiting, excluded.waiting)
$$;

-- Moves the durations of all completed tasks, of their roles and of their agents by the difference between their facts.
CREATE FUNCTION move_durations(newer analytics_task_facts[], older analytics_task_facts[]) RETURNS void LANGUAGE sql AS $$
  SELECT add_durations(json_agg(part)) FROM (
    SELECT f.tenant_id, d.dimension, (f.completed_at AT TIME ZONE 'UTC')::date AS day, d.key, f.sign, f.sent_back AS rounds,
      CASE WHEN f.first_claimed_at IS NOT NULL
        THEN greatest(0, round(extract(epoch FROM f.completed_at - f.first_claimed_at) * 1000)) END AS cycle_ms,
      CASE WHEN f.first_claimed_at IS NOT NULL
        THEN greatest(0, round(extract(epoch FROM f.first_claimed_at - f.ready_at) * 1000)) END AS waiting_ms
    FROM (SELECT 1 AS sign, * FROM unnest(newer) UNION ALL SELECT -1, * FROM unnest(older)) AS f
    CROSS JOIN LATERAL (VALUES ('tasks', ''), ('role', f.role), ('agent', f.agent)) AS d (dimension, key)
    WHERE f.status = 'completed' AND f.completed_at IS NOT NULL AND f.sent_back IS NOT NULL
      AND (d.dimension <> 'agent' OR d.key <> '')
  ) AS part HAVING count(*) > 0
$$;

CREATE OR REPLACE FUNCTION note_throughput() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  newer_facts analytics_task_facts[] := ARRAY(SELECT ROW(f.*)::analytics_task_facts FROM newer f);
  older_facts analytics_task_facts[] := '{}';
BEGIN
  IF TG_OP = 'UPDATE' THEN
    older_facts := ARRAY(SELECT ROW(f.*)::analytics_task_facts FROM older f);
  END IF;
  PERFORM move_throughput(newer_facts, older_facts);
  PERFORM move_durations(newer_facts, older_facts);
  IF EXISTS (SELECT FROM analytics_recounts c WHERE c.position > '' AND EXISTS (
    SELECT FROM newer f WHERE f.tenant_id = c.tenant_id)) THEN
    PERFORM move_recounted(newer_facts, older_facts);
  END IF;
  RETURN NULL;
END $$;
