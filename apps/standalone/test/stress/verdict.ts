import { readRollups, recount } from '@eas/analytics';
import type { DbScope } from '@eas/db';
import { findTaskBreaches } from '@eas/tasks/invariants';
import type { PlatformTruth } from './platform.ts';
import type { Reading } from './readers.ts';
import type { World } from './world.ts';

/** Must hold at any moment, in one snapshot each; each row is a violation. */
const always = {
  'a review by its author': `
    SELECT t.id FROM tasks t JOIN leases l ON l.tenant_id = t.tenant_id AND l.task_id = t.id
    WHERE t.tenant_id = $1 AND t.review_of IS NOT NULL AND l.agent_id = t.not_for`,
};

/** Whose next step may have no task yet: it waits for a retry, or for an orchestrator that was killed. */
const unfinishedRunsSql = `SELECT id, status, paused_at FROM workflow_runs WHERE tenant_id = $1 AND status = 'started'`;

/** Holds when no actor acts and nothing is pending. */
const inTheEnd = {
  'an outbox row that is left': 'SELECT event_id AS id, consumer, last_error FROM outbox WHERE tenant_id = $1',
  'a delivery that did not arrive': `SELECT id FROM deliveries WHERE tenant_id = $1 AND status <> 'delivered'`,
  'an inbound event that is not settled': `
    SELECT id, status FROM inbound_events WHERE tenant_id = $1 AND settled_at IS NULL`,
  'an inbound event that could not be applied': `
    SELECT id, status, outcome FROM inbound_events WHERE tenant_id = $1 AND status IN ('failed', 'quarantined')`,
  'a run that did not end': unfinishedRunsSql,
  'a step of a completed run that did not end': `
    SELECT s.id, s.status FROM run_steps s JOIN workflow_runs r ON r.tenant_id = s.tenant_id AND r.id = s.run_id
    WHERE s.tenant_id = $1 AND r.status = 'completed' AND s.status NOT IN ('completed', 'skipped')`,
  'a step that was reported completed more or less often than its timeline says': `
    SELECT run_id AS id FROM (
      SELECT run_id, 1 AS n FROM run_timeline WHERE tenant_id = $1 AND kind = 'step_completed'
      UNION ALL SELECT data ->> 'workflow_run_id', -1 FROM events
      WHERE tenant_id = $1 AND event_type = 'workflow.step_completed') AS reported GROUP BY run_id HAVING sum(n) <> 0`,
};

const unfinishedTasksSql = `
  SELECT id, status, assigned_role, assigned_agent, is_pinned, not_for, lost_by, not_before, workflow_run_id,
    metadata -> 'required_capabilities' AS required_capabilities
  FROM tasks
  WHERE tenant_id = $1 AND status NOT IN ('completed', 'failed', 'cancelled') AND NOT is_held`;

/** Tasks and runs that some actor still has to complete. */
export async function unfinished({ db, tenantId }: DbScope): Promise<{ id: string }[]> {
  const lists = [unfinishedTasksSql, unfinishedRunsSql].map((sql) => db.query<{ id: string }>(sql, [tenantId]));
  return (await Promise.all(lists)).flat();
}

async function breachesOf({ db, tenantId }: DbScope, queries: Record<string, string>): Promise<string[]> {
  const found: string[] = [];
  for (const [what, sql] of Object.entries(queries))
    for (const row of await db.query(sql, [tenantId])) found.push(`${what}: ${JSON.stringify(row)}`);
  return found;
}

/** Violations at this moment, while all actors act. */
export async function breachesNow(scope: DbScope): Promise<string[]> {
  return [...(await findTaskBreaches(scope)), ...(await breachesOf(scope, always))];
}

/** Violations after everything has settled. */
export async function breachesInTheEnd(scope: DbScope, world: World, truth: PlatformTruth, readings: Reading[]) {
  return [
    ...(await breachesNow(scope)),
    ...(await breachesOf(scope, inTheEnd)),
    ...(await lostWrites(scope, world)),
    ...(await platformBreaches(scope, truth)),
    ...(await readingBreaches(scope, world, readings)),
    ...(await rollupBreaches(scope)),
  ];
}

/** Acknowledged changes that are missing. */
async function lostWrites({ db, tenantId }: DbScope, { tasks, runIds, completions }: World): Promise<string[]> {
  const lostSql = (table: string) =>
    `SELECT id FROM unnest($2::text[]) AS acknowledged (id)
     WHERE NOT EXISTS (SELECT FROM ${table} t WHERE t.tenant_id = $1 AND t.id = acknowledged.id)`;
  const completionSql = `
    SELECT task_id || ' ' || actor AS done FROM task_timeline
    WHERE tenant_id = $1 AND kind = 'status_change' AND data ->> 'to' IN ('completed', 'in_review')`;
  const lostTasks = await db.query<{ id: string }>(lostSql('tasks'), [tenantId, [...tasks.keys()]]);
  const lostRuns = await db.query<{ id: string }>(lostSql('workflow_runs'), [tenantId, runIds]);
  const done = new Set((await db.query<{ done: string }>(completionSql, [tenantId])).map((row) => row.done));
  return [
    ...[...lostTasks, ...lostRuns].map(({ id }) => `acknowledged and lost: ${id}`),
    ...[...completions].filter((one) => !done.has(one)).map((one) => `completed, acknowledged and lost: ${one}`),
  ];
}

async function platformBreaches({ db, tenantId }: DbScope, { deleted, names }: PlatformTruth): Promise<string[]> {
  const sql = `
    SELECT l.external_id AS "externalId", t.title, t.status FROM task_links l
    JOIN tasks t ON t.tenant_id = l.tenant_id AND t.id = l.task_id WHERE l.tenant_id = $1`;
  const linked = await db.query<{ externalId: string; title: string; status: string }>(sql, [tenantId]);
  const found = new Map(linked.map((row) => [row.externalId, row]));
  const isLive = ({ status }: { status: string }) => !['completed', 'failed', 'cancelled'].includes(status);
  return [
    ...linked
      .filter((row) => deleted.has(row.externalId) && isLive(row))
      .map((row) => `deleted at the platform and alive here: ${JSON.stringify(row)}`),
    ...[...names]
      .filter(([id, name]) => found.get(id)?.title !== name)
      .map(([id, name]) => `at the platform "${name}", here "${found.get(id)?.title}": ${id}`),
  ];
}

const numberedSql = `
  SELECT event_id AS id FROM event_numbers WHERE tenant_id = $1
    AND number <= (SELECT number FROM event_numbers WHERE tenant_id = $1 AND event_id = $2) ORDER BY number`;

const newestSql = 'SELECT event_id AS id FROM event_numbers WHERE tenant_id = $1 ORDER BY number DESC LIMIT 1';

/** The event that was numbered last. */
export async function newestEventId({ db, tenantId }: DbScope): Promise<string | undefined> {
  return (await db.query<{ id: string }>(newestSql, [tenantId]))[0]?.id;
}

/** Every event up to the last one once, in the order of their numbers. What came later may have been read as well. */
async function readingBreaches(
  { db, tenantId }: DbScope,
  { lastEventId }: World,
  readings: Reading[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(numberedSql, [tenantId, lastEventId]);
  const expected = rows.map(({ id }) => id);
  return readings.flatMap(({ name, ids: all }) => {
    const ids = all.slice(0, all.indexOf(lastEventId ?? '') + 1);
    const got = new Set(ids);
    const missed = expected.filter((id) => !got.has(id));
    const isInOrder = ids.join() === expected.filter((id) => got.has(id)).join();
    return [
      ...(missed.length > 0 ? [`${name} missed ${missed.length} of ${expected.length}: ${missed.slice(0, 3)}`] : []),
      ...(ids.length > got.size ? [`${name} repeated ${ids.length - got.size}`] : []),
      ...(isInOrder ? [] : [`${name} is not in the order of the numbers`]),
    ];
  });
}

async function rollupBreaches(scope: DbScope): Promise<string[]> {
  const [kept, counted] = [await readRollups(scope), await recount(scope)];
  if (JSON.stringify(kept) === JSON.stringify(counted)) return [];
  return [`roll-ups are not a recount: ${JSON.stringify(kept)} for ${JSON.stringify(counted)}`];
}
