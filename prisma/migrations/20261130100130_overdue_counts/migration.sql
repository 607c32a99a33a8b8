-- Tasks that are not final and were due before `counted_to` of their tenant, by the UTC day on which they were created. Those
-- that became due since then are counted by `analytics_task_facts_overdue_idx`.
CREATE TABLE "analytics_overdue" (
  "tenant_id" TEXT COLLATE "C" NOT NULL,
  "day" DATE NOT NULL,
  "role" TEXT NOT NULL,
  "n" INTEGER NOT NULL,

  CONSTRAINT "analytics_overdue_pkey" PRIMARY KEY ("tenant_id", "day", "role")
) WITH (fillfactor = 50);

-- `next_due_at`: the first due date from `counted_to` on, or an earlier time.
CREATE TABLE "analytics_overdue_marks" (
  "tenant_id" TEXT COLLATE "C" NOT NULL,
  "counted_to" TIMESTAMPTZ(3) NOT NULL DEFAULT '-infinity',
  "next_due_at" TIMESTAMPTZ(3),

  CONSTRAINT "analytics_overdue_marks_pkey" PRIMARY KEY ("tenant_id")
) WITH (fillfactor = 50);
CREATE INDEX "analytics_overdue_marks_next_due_at_idx" ON "analytics_overdue_marks" ("next_due_at") WHERE next_due_at IS NOT NULL;

SELECT plan_for_largest_tenant('analytics_overdue'), plan_for_largest_tenant('analytics_overdue_marks');

INSERT INTO "analytics_overdue_marks" (tenant_id, next_due_at)
SELECT t.id, due.at FROM "tenants" t CROSS JOIN LATERAL (
  SELECT f.due_date AS at FROM "analytics_task_facts" f
  WHERE f.tenant_id = t.id AND f.due_date IS NOT NULL AND f.status NOT IN ('completed', 'failed', 'cancelled')
  ORDER BY f.due_date LIMIT 1
) AS due;

-- Moves what is counted by the difference between facts, and says when a task is due next. Writers of facts hold the lock of
-- the tenant, as does what moves `counted_to`.
CREATE FUNCTION move_overdue(newer analytics_task_facts[], older analytics_task_facts[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO analytics_overdue AS r (tenant_id, day, role, n)
  SELECT f.tenant_id, (f.created_at AT TIME ZONE 'UTC')::date, f.role, sum(sign)
  FROM (SELECT 1 AS sign, * FROM unnest(newer) UNION ALL SELECT -1, * FROM unnest(older)) AS f
  JOIN analytics_overdue_marks m ON m.tenant_id = f.tenant_id AND f.due_date < m.counted_to
  WHERE f.status NOT IN ('completed', 'failed', 'cancelled')
  GROUP BY 1, 2, 3 HAVING sum(sign) <> 0 ORDER BY 1, 2, 3
  ON CONFLICT (tenant_id, day, role) DO UPDATE SET n = r.n + excluded.n;

  INSERT INTO analytics_overdue_marks AS m (tenant_id, next_due_at)
  SELECT f.tenant_id, min(f.due_date) FROM unnest(newer) AS f
  LEFT JOIN analytics_overdue_marks known ON known.tenant_id = f.tenant_id
  WHERE f.status NOT IN ('completed', 'failed', 'cancelled') AND f.due_date >= coalesce(known.counted_to, '-infinity')
  GROUP BY 1 HAVING min(f.due_date) < coalesce(min(known.next_due_at), 'infinity') ORDER BY 1
  ON CONFLICT (tenant_id) DO UPDATE SET next_due_at = least(m.next_due_at, excluded.next_due_at);
END $$;

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
  IF EXISTS (SELECT FROM unnest(newer_facts || older_facts) AS f WHERE f.due_date IS NOT NULL) THEN
    PERFORM move_overdue(newer_facts, older_facts);
  END IF;
  IF EXISTS (SELECT FROM analytics_recounts c WHERE c.position > '' AND EXISTS (
    SELECT FROM newer f WHERE f.tenant_id = c.tenant_id)) THEN
    PERFORM move_recounted(newer_facts, older_facts);
  END IF;
  RETURN NULL;
END $$;
