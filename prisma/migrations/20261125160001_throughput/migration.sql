CREATE TABLE "analytics_throughput" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "grain" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "role" TEXT NOT NULL,
    "created" INTEGER NOT NULL DEFAULT 0,
    "completed" INTEGER NOT NULL DEFAULT 0,
    "late" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "completion_ms" BIGINT NOT NULL DEFAULT 0,
    "completion_count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "analytics_throughput_pkey" PRIMARY KEY ("tenant_id","grain","at","role")
);
ALTER TABLE "analytics_throughput" ADD CONSTRAINT "analytics_throughput_grain_check" CHECK (grain IN ('hour', 'day'));

-- Moves the hours and days in which tasks were created and completed by the difference between their facts. In the order
-- of the key, so that writers do not wait for each other in a circle.
CREATE FUNCTION move_throughput(newer analytics_task_facts[], older analytics_task_facts[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO analytics_throughput AS r (tenant_id, grain, at, role, created, completed, late, completion_ms, completion_count)
  SELECT tenant_id, grain, date_trunc(grain, m.at, 'UTC'), role, sum(sign * m.created), sum(sign * m.completed),
    sum(sign * m.late), sum(sign * m.completion_ms), sum(sign * m.completion_count)
  FROM (SELECT 1 AS sign, * FROM unnest(newer) UNION ALL SELECT -1, * FROM unnest(older)) AS f
  CROSS JOIN (VALUES ('hour'), ('day')) AS g (grain)
  CROSS JOIN LATERAL (VALUES
    (f.created_at, 1, 0, 0, 0::bigint, 0),
    (CASE WHEN f.status = 'completed' THEN f.completed_at END, 0, 1, coalesce(f.due_date < f.completed_at, false)::int,
      coalesce(round(extract(epoch FROM f.completed_at - f.first_claimed_at) * 1000), 0)::bigint,
      (f.first_claimed_at IS NOT NULL)::int)
  ) AS m (at, created, completed, late, completion_ms, completion_count)
  WHERE m.at IS NOT NULL
  GROUP BY 1, 2, 3, 4
  HAVING (sum(sign * m.created), sum(sign * m.completed), sum(sign * m.late), sum(sign * m.completion_ms),
    sum(sign * m.completion_count)) <> (0, 0, 0, 0, 0)
  ORDER BY 1, 2, 3, 4
  ON CONFLICT (tenant_id, grain, at, role) DO UPDATE SET
    created = r.created + excluded.created, completed = r.completed + excluded.completed,
    late = r.late + excluded.late, completion_ms = r.completion_ms + excluded.completion_ms,
    completion_count = r.completion_count + excluded.completion_count
$$;

-- Triggers keep it, once for each statement, so that processes of the version before keep it too.
CREATE FUNCTION note_throughput() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM move_throughput(ARRAY(SELECT ROW(f.*)::analytics_task_facts FROM newer f), '{}');
  ELSE
    PERFORM move_throughput(ARRAY(SELECT ROW(f.*)::analytics_task_facts FROM newer f),
      ARRAY(SELECT ROW(f.*)::analytics_task_facts FROM older f));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "analytics_task_facts_new" AFTER INSERT ON "analytics_task_facts"
REFERENCING NEW TABLE AS newer FOR EACH STATEMENT EXECUTE FUNCTION note_throughput();
CREATE TRIGGER "analytics_task_facts_changed" AFTER UPDATE ON "analytics_task_facts"
REFERENCING OLD TABLE AS older NEW TABLE AS newer FOR EACH STATEMENT EXECUTE FUNCTION note_throughput();

SELECT move_throughput(array_agg(f), '{}') FROM "analytics_task_facts" f
GROUP BY tenant_id, date_trunc('hour', created_at, 'UTC');

-- Failures that were recorded before; those still owed to the aggregator are counted when it records them.
INSERT INTO "analytics_throughput" AS r (tenant_id, grain, at, role, failed)
SELECT t.id, g.grain, date_trunc(g.grain, e.occurred_at, 'UTC'), coalesce(e.facts ->> 'role', ''), count(*)
FROM "tenants" t
JOIN "events" e ON e.tenant_id = t.id AND e.event_type = 'task.failed'
CROSS JOIN (VALUES ('hour'), ('day')) AS g (grain)
WHERE NOT EXISTS (
  SELECT FROM "outbox" o WHERE o.tenant_id = t.id AND o.event_id = e.event_id AND o.consumer = 'facts.record')
GROUP BY 1, 2, 3, 4
ON CONFLICT (tenant_id, grain, at, role) DO UPDATE SET failed = excluded.failed;
