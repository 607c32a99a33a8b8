import type { DbScope } from '@eas/db';

/** Number of durations by bucket, numbered from 1; null: there are none. */
export type Buckets = Readonly<Record<string, number>>;

/** Of what was completed. */
export type Durations = {
  completed: number;
  reworked: number;
  reworkRounds: number;
  cycleMs: number;
  waitingMs: number;
  cycle: Buckets | null;
  waiting: Buckets | null;
};

/** `dimension`: `tasks` and `steps` are all together, with the key "". */
export type DurationRange = {
  dimension: 'tasks' | 'role' | 'agent' | 'steps' | 'step';
  key: string | undefined;
  first: Date;
  last: Date;
};

/** Added up by a column; those with the most completed come first. */
const readSql = (by: 'key' | 'day') => `
  WITH days AS MATERIALIZED (
    SELECT * FROM analytics_durations
    WHERE tenant_id = $1 AND dimension = $2 AND ($3::text IS NULL OR key = $3)
      AND day BETWEEN ($4::timestamptz AT TIME ZONE 'UTC')::date AND ($5::timestamptz AT TIME ZONE 'UTC')::date
  ), sums AS (
    SELECT ${by}, sum(completed)::float8 AS "completed", sum(reworked)::float8 AS "reworked",
      sum(rework_rounds)::float8 AS "reworkRounds", sum(cycle_ms)::float8 AS "cycleMs", sum(waiting_ms)::float8 AS "waitingMs"
    FROM days GROUP BY ${by} HAVING sum(completed) > 0 ORDER BY sum(completed) DESC, ${by} LIMIT $6
  ), counted AS (
    SELECT ${by}, kind, bucket, sum(n) AS n FROM days, LATERAL (
      SELECT 'cycle', bucket, n FROM unnest(cycle) WITH ORDINALITY AS c (n, bucket)
      UNION ALL SELECT 'waiting', bucket, n FROM unnest(waiting) WITH ORDINALITY AS w (n, bucket)
    ) AS of_day (kind, bucket, n)
    WHERE n <> 0 GROUP BY ${by}, kind, bucket HAVING sum(n) > 0
  ), distributions AS (
    SELECT ${by}, json_object_agg(bucket, n) FILTER (WHERE kind = 'cycle') AS cycle,
      json_object_agg(bucket, n) FILTER (WHERE kind = 'waiting') AS waiting
    FROM counted GROUP BY ${by}
  )
  SELECT ${by === 'day' ? `day::timestamp AT TIME ZONE 'UTC' AS at` : by}, completed, reworked, "reworkRounds", "cycleMs",
    "waitingMs", cycle, waiting
  FROM sums LEFT JOIN distributions USING (${by}) ORDER BY completed DESC, ${by}`;

const [groupsSql, daysSql] = [readSql('key'), readSql('day')];

/** The groups with the most completed on the days from `first` to `last`. */
export function readDurationGroups(
  { db, tenantId }: DbScope,
  { dimension, key, first, last }: DurationRange,
  limit: number,
): Promise<(Durations & { key: string })[]> {
  return db.query(groupsSql, [tenantId, dimension, key ?? null, first, last, limit]);
}

/** The days from `first` to `last` on which something was completed. `at`: their start in UTC. */
export function readDurationDays(
  { db, tenantId }: DbScope,
  { dimension, key, first, last }: DurationRange,
): Promise<(Durations & { at: Date })[]> {
  return db.query(daysSql, [tenantId, dimension, key ?? null, first, last, null]);
}
