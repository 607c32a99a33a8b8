-- How far the figures of one tenant have been counted again: the tasks up to `position`, and the days before `day` are
-- compared. Without a position its recount has not begun.
CREATE TABLE "analytics_recounts" (
  "tenant_id" TEXT COLLATE "C" NOT NULL,
  "position" TEXT COLLATE "C" NOT NULL DEFAULT '',
  "day" DATE,

  CONSTRAINT "analytics_recounts_pkey" PRIMARY KEY ("tenant_id")
) WITH (fillfactor = 50);

-- What the tasks up to the position add to the figures of the days that are not compared yet.
CREATE TABLE "analytics_recounted" (
  "tenant_id" TEXT COLLATE "C" NOT NULL,
  "day" DATE NOT NULL,
  "role" TEXT NOT NULL,
  "total" INTEGER NOT NULL DEFAULT 0,
  "completed" INTEGER NOT NULL DEFAULT 0,
  "in_progress" INTEGER NOT NULL DEFAULT 0,
  "completion_ms" BIGINT NOT NULL DEFAULT 0,
  "completion_count" INTEGER NOT NULL DEFAULT 0,
  "quality_total" INTEGER NOT NULL DEFAULT 0,
  "quality_count" INTEGER NOT NULL DEFAULT 0,
  "clarity_total" INTEGER NOT NULL DEFAULT 0,
  "clarity_count" INTEGER NOT NULL DEFAULT 0,

  CONSTRAINT "analytics_recounted_pkey" PRIMARY KEY ("tenant_id", "day", "role")
);

SELECT plan_for_largest_tenant('analytics_recounts'), plan_for_largest_tenant('analytics_recounted');

-- Facts of tasks that are counted already move what is counted, as they move the figures. Their writer and the recount
-- hold the lock of the tenant, so neither misses the other.
CREATE FUNCTION move_recounted(newer analytics_task_facts[], older analytics_task_facts[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO analytics_recounted AS r (tenant_id, day, role, total, completed, in_progress, completion_ms, completion_count,
    quality_total, quality_count, clarity_total, clarity_count)
  SELECT f.tenant_id, of_day.day, f.role, sum(sign), sum(sign * completed), sum(sign * (f.status = 'in_progress')::int),
    sum(sign * completed * coalesce(round(extract(epoch FROM f.completed_at - f.first_claimed_at) * 1000), 0)),
    sum(sign * completed * (f.first_claimed_at IS NOT NULL)::int),
    sum(sign * completed * coalesce(f.code_quality, 0)), sum(sign * completed * (f.code_quality IS NOT NULL)::int),
    sum(sign * completed * coalesce(f.requirements_clarity, 0)),
    sum(sign * completed * (f.requirements_clarity IS NOT NULL)::int)
  FROM (SELECT 1 AS sign, * FROM unnest(newer) UNION ALL SELECT -1, * FROM unnest(older)) AS f
  CROSS JOIN LATERAL (
    SELECT (f.created_at AT TIME ZONE 'UTC')::date AS day, (f.status = 'completed')::int AS completed
  ) AS of_day
  JOIN analytics_recounts c ON c.tenant_id = f.tenant_id AND f.task_id <= c.position AND of_day.day >= c.day
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (tenant_id, day, role) DO UPDATE SET
    total = r.total + excluded.total, completed = r.completed + excluded.completed,
    in_progress = r.in_progress + excluded.in_progress, completion_ms = r.completion_ms + excluded.completion_ms,
    completion_count = r.completion_count + excluded.completion_count,
    quality_total = r.quality_total + excluded.quality_total, quality_count = r.quality_count + excluded.quality_count,
    clarity_total = r.clarity_total + excluded.clarity_total, clarity_count = r.clarity_count + excluded.clarity_count
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
  IF EXISTS (SELECT FROM analytics_recounts c WHERE c.position > '' AND EXISTS (
    SELECT FROM newer f WHERE f.tenant_id = c.tenant_id)) THEN
    PERFORM move_recounted(newer_facts, older_facts);
  END IF;
  RETURN NULL;
END $$;
