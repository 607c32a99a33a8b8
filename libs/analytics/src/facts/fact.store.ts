import type { StoredEvent } from '@eas/contracts';
import { columnOf, type DbScope } from '@eas/db';
import type { TaskFactsOfTask } from './newest-facts.ts';
import { rollupFields } from './rollup.ts';

const lockSql = `SELECT pg_advisory_xact_lock(hashtextextended('analytics ' || $1, 0))`;

/**
 * Serialises the writers of one tenant until the transaction ends. They update the same few roll-up rows anyway, and
 * the holder of the lock reads with a fresh snapshot everything that the previous one wrote.
 */
export async function lockFacts({ db, tenantId }: DbScope): Promise<void> {
  await db.query(lockSql, [tenantId]);
}

/** What a row of facts (`f`) adds to its roll-up, times `sign`. */
const contributionSql = (f: string, sign: 1 | -1) => `
  SELECT (${f}.created_at AT TIME ZONE 'UTC')::date AS day, ${f}.role, ${sign} AS total,
    ${sign} * (${f}.status = 'completed')::int AS completed,
    ${sign} * (${f}.status = 'in_progress')::int AS in_progress,
    CASE WHEN ${f}.status = 'completed' AND ${f}.first_claimed_at IS NOT NULL
      THEN ${sign} * round(extract(epoch FROM ${f}.completed_at - ${f}.first_claimed_at) * 1000)::bigint ELSE 0 END AS completion_ms,
    ${sign} * (${f}.status = 'completed' AND ${f}.first_claimed_at IS NOT NULL)::int AS completion_count,
    CASE WHEN ${f}.status = 'completed' THEN ${sign} * coalesce(${f}.code_quality, 0) ELSE 0 END AS quality_total,
    ${sign} * (${f}.status = 'completed' AND ${f}.code_quality IS NOT NULL)::int AS quality_count,
    CASE WHEN ${f}.status = 'completed' THEN ${sign} * coalesce(${f}.requirements_clarity, 0) ELSE 0 END AS clarity_total,
    ${sign} * (${f}.status = 'completed' AND ${f}.requirements_clarity IS NOT NULL)::int AS clarity_count`;

const sums = rollupFields.map(columnOf);

/** `ANY (ARRAY(…))` has the rows found by their keys, whatever the planner takes the sizes to be. */
const recordSql = `
  WITH reported AS (
    SELECT * FROM json_to_recordset($2::json) AS t (
      task_id text, version int, role text, status text, created_at timestamptz, due_date timestamptz,
      first_claimed_at timestamptz, completed_at timestamptz, code_quality int, requirements_clarity int,
      agent text, sent_back int, ready_at timestamptz)
  ), newer AS (
    SELECT t.task_id, t.version, coalesce(t.role, '') AS role, t.status, t.created_at, t.due_date, t.first_claimed_at,
           t.completed_at, t.code_quality, t.requirements_clarity, coalesce(t.agent, '') AS agent, t.sent_back,
           coalesce(t.ready_at, t.created_at) AS ready_at
    FROM reported t LEFT JOIN analytics_task_facts f ON f.tenant_id = $1 AND f.task_id = t.task_id
      AND f.task_id = ANY (ARRAY(SELECT task_id FROM reported))
    WHERE f.version IS NULL OR f.version < t.version OR $3
  ), older AS (
    SELECT f.* FROM newer n JOIN analytics_task_facts f ON f.tenant_id = $1 AND f.task_id = n.task_id
      AND f.task_id = ANY (ARRAY(SELECT task_id FROM newer))
  ), kept AS (
    INSERT INTO analytics_task_facts (tenant_id, task_id, version, role, status, created_at, due_date,
                                      first_claimed_at, completed_at, code_quality, requirements_clarity,
                                      agent, sent_back, ready_at)
    SELECT $1, task_id, version, role, status, created_at, due_date, first_claimed_at, completed_at, code_quality,
           requirements_clarity, agent, sent_back, ready_at
    FROM newer
    ON CONFLICT (tenant_id, task_id) DO UPDATE SET
      version = excluded.version, role = excluded.role, status = excluded.status, created_at = excluded.created_at,
      due_date = excluded.due_date, first_claimed_at = excluded.first_claimed_at,
      completed_at = excluded.completed_at, code_quality = excluded.code_quality,
      requirements_clarity = excluded.requirements_clarity, agent = excluded.agent, sent_back = excluded.sent_back,
      ready_at = excluded.ready_at
  ), changes AS (
    ${contributionSql('n', 1)} FROM newer n
    UNION ALL
    ${contributionSql('o', -1)} FROM older o
  ), difference AS (
    SELECT day, role, ${sums.map((sum) => `sum(${sum}) AS ${sum}`).join(', ')} FROM changes GROUP BY day, role
  )
  INSERT INTO analytics_daily_rollups AS r (tenant_id, day, role, ${sums.join(', ')})
  SELECT $1, day, role, ${sums.join(', ')} FROM difference
  WHERE (${sums.join(', ')}) <> (${sums.map(() => '0').join(', ')})
  ORDER BY day, role
  ON CONFLICT (tenant_id, day, role) DO UPDATE SET
    ${sums.map((sum) => `${sum} = r.${sum} + excluded.${sum}`).join(', ')}`;

/**
 * Stores the facts of tasks (one row per task) if they are newer than the stored ones, and changes the roll-ups by the
 * difference. Older facts change nothing. Needs a transaction: the lock of the tenant is held to its end.
 */
export async function recordNewestFacts(scope: DbScope, facts: readonly TaskFactsOfTask[]): Promise<void> {
  await lockFacts(scope);
  await scope.db.query(recordSql, [scope.tenantId, JSON.stringify(facts), false]);
}

/** The same for facts that replace the stored ones, whatever their version. Needs the lock of the tenant. */
export async function correctFacts({ db, tenantId }: DbScope, facts: readonly TaskFactsOfTask[]): Promise<void> {
  if (facts.length > 0) await db.query(recordSql, [tenantId, JSON.stringify(facts), true]);
}

const failuresSql = `
  INSERT INTO analytics_throughput AS r (tenant_id, grain, at, role, failed)
  SELECT $1, grain, date_trunc(grain, f.at, 'UTC') AS at, role, count(*)
  FROM unnest($2::timestamptz[], $3::text[]) AS f (at, role), (VALUES ('hour'), ('day')) AS g (grain)
  GROUP BY 2, 3, 4 ORDER BY 2, 3, 4
  ON CONFLICT (tenant_id, grain, at, role) DO UPDATE SET failed = r.failed + excluded.failed`;

/** Counts failures in the hour and on the day of each. A state of a task does not say when it failed. */
export async function countFailures(
  { db, tenantId }: DbScope,
  failures: readonly StoredEvent<'task.failed'>[],
): Promise<void> {
  const at = failures.map(({ occurredAt }) => occurredAt);
  await db.query(failuresSql, [tenantId, at, failures.map(({ facts }) => facts.role ?? '')]);
}
