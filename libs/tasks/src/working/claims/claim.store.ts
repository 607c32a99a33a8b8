import { type DbScope, sendWrite, type Tx } from '@eas/db';
import { exhaustedProjectsSql, exhaustedSql } from '../../records/budgets/exhausted-sql.ts';
import { isEligibleSql, someEligibleSql } from '../../records/tasks/eligibility.ts';
import { insertTimelineSql, type NewTimelineEntry } from '../../records/timeline/timeline.store.ts';
import type { Task } from '../../records/tasks/task.ts';
import { taskSql } from '../../records/tasks/task-columns.ts';

/** A task that the transaction has locked for an agent, the time of that, and the trace that created it. */
export type PickedTask = Task & { pickedAt: Date; traceparent: string | null };

/** Those of the agents $2 that accept tasks, have a slot and budget left, and are not locked. */
const claimersOf = (also: string) => `
  SELECT id, role, capabilities FROM agents
  WHERE tenant_id = $1 AND id = ANY ($2) AND deleted_at IS NULL AND is_accepting
    AND active_leases < max_concurrent_tasks
    AND NOT EXISTS (SELECT ${exhaustedSql({ tenant: '$1', role: 'agents.role', agent: 'agents.id' })})
    AND ${also}
  FOR NO KEY UPDATE SKIP LOCKED`;

/** Tasks of all projects are not searched while some projects have no budget left. */
const claimersSql = claimersOf(`NOT EXISTS (SELECT ${exhaustedProjectsSql('$1')})`);

const columns = `SELECT ${taskSql.select('t')}, t.traceparent, app_now() AS "pickedAt" FROM tasks t`;
const agent = (column: string) => `(SELECT ${column} FROM agent)`;
/** Open, and its time has come. */
const isDue = `
  tenant_id = $1 AND status IN ('created', 'open') AND NOT is_held AND (not_before IS NULL OR not_before <= app_now())`;
const isClaimable = `${isDue} AND ${isEligibleSql('t', agent)} AND NOT id = ANY ($3::text[])`;
/** What the agent may claim now. Those that others are claiming now are skipped. */
const claimable = (order = 'rank, id') => `
    ${isClaimable} ORDER BY ${order} LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`;
const notLost = `lost_by IS DISTINCT FROM ${agent('id')}`;

/** `IS NULL` fixes no value for Postgres: without the role in the order it would sort all tasks that have none. */
const inIndexOrder = 'assigned_role, rank, id';

const isLeftForAnyRole = `EXISTS (SELECT FROM agent) AND NOT EXISTS (SELECT FROM of_role)`;
const isForAnyRole = `NOT is_pinned AND ${notLost}`;

/**
 * Each part uses an index of its own, and runs only if the previous ones found nothing. `also`: further condition for
 * the agent's own tasks, which are few.
 */
const pickWith = (parts: { claimers: string; ofRole: string; ofAnyRole: string; also: string }) => `
  WITH agent AS MATERIALIZED (${parts.claimers}), of_role AS (${parts.ofRole}), of_any_role AS (${parts.ofAnyRole}
  ), pinned AS (
    ${columns} WHERE NOT EXISTS (SELECT FROM of_role) AND NOT EXISTS (SELECT FROM of_any_role)
      AND assigned_agent = ${agent('id')} AND is_pinned AND assigned_role IS DISTINCT FROM ${agent('role')}
      AND ${notLost} AND ${parts.also} AND ${claimable()}
  ), lost AS (
    ${columns} WHERE NOT EXISTS (SELECT FROM of_role) AND NOT EXISTS (SELECT FROM of_any_role)
      AND NOT EXISTS (SELECT FROM pinned) AND lost_by = ${agent('id')}
      AND (rests_until IS NULL OR rests_until <= app_now()) AND ${parts.also} AND ${claimable()}
  )
  SELECT * FROM of_role UNION ALL SELECT * FROM of_any_role UNION ALL SELECT * FROM pinned UNION ALL SELECT * FROM lost`;

const pickSql = pickWith({
  claimers: claimersSql,
  ofRole: `${columns} WHERE NOT $4 AND assigned_role = ${agent('role')} AND ${notLost} AND ${claimable()}`,
  ofAnyRole: `${columns}
    WHERE ${isLeftForAnyRole} AND assigned_role IS NULL AND ${isForAnyRole} AND ${claimable(inIndexOrder)}`,
  also: 'true',
});

/** '' for tasks without one. */
const projectOf = `coalesce(project_id, '')`;

/**
 * The projects $4 in the order of the first task of each; one task is locked, of the first that has one which is free.
 * `coalesce` is in the index of projects alone: that of roles would be walked past all tasks of others.
 */
const inProjects = ({ role, isMeant, guard }: { role: string; isMeant: string; guard: string }) => {
  const isOfProject = `${projectOf} = project.id AND coalesce(assigned_role, '') = ${role} AND ${isMeant}`;
  return `
    SELECT picked.* FROM (
      SELECT project.id FROM unnest($4::text[]) AS project (id), LATERAL (
        SELECT rank, id FROM tasks t WHERE ${isOfProject} AND ${isClaimable} ORDER BY rank, id LIMIT 1) AS earliest
      WHERE ${guard} ORDER BY earliest.rank, earliest.id
    ) AS project, LATERAL (${columns} WHERE ${isOfProject} AND ${claimable()}) AS picked
    LIMIT 1`;
};
const pickOfProjectsSql = pickWith({
  claimers: claimersOf('true'),
  ofRole: inProjects({ role: agent('role'), isMeant: notLost, guard: 'true' }),
  ofAnyRole: inProjects({ role: `''`, isMeant: isForAnyRole, guard: isLeftForAnyRole }),
  also: `${projectOf} = ANY ($4::text[])`,
});

/**
 * Locks the first task that the agent may claim, in the order of claims: of its own role, then of any role, then given
 * to it without its role, and last those that it lost or gave back itself. Those that are `taken` in the transaction
 * are left out, and its role where nothing `isLeftOfRole`. Undefined: there is none, or the agent may not claim.
 */
export async function pickTask(
  { db, tenantId }: DbScope,
  agentId: string,
  { taken = [], isLeftOfRole = true }: { taken?: readonly string[]; isLeftOfRole?: boolean } = {},
): Promise<PickedTask | undefined> {
  const [task] = await db.query<PickedTask>(pickSql, [tenantId, [agentId], taken, !isLeftOfRole]);
  return task;
}

/** The same among the tasks of some projects, '' for none of them. */
export async function pickTaskOf(
  { db, tenantId }: DbScope,
  agentId: string,
  projects: readonly string[],
): Promise<PickedTask | undefined> {
  const [task] = await db.query<PickedTask>(pickOfProjectsSql, [tenantId, [agentId], [], [...new Set(projects)]]);
  return task;
}

const nextProject = (after: string) => `(
    SELECT ${projectOf} FROM tasks WHERE tenant_id = $1 AND status IN ('created', 'open') AND NOT is_held AND ${after}
    ORDER BY 1 LIMIT 1)`;

/** The distinct values of the index of projects, one look-up each. */
const leftSql = `
  WITH RECURSIVE waiting AS (
    SELECT ${nextProject('true')} AS id
    UNION ALL SELECT ${nextProject(`${projectOf} > waiting.id`)} FROM waiting WHERE id IS NOT NULL
  )
  SELECT asked.id FROM unnest(coalesce($2::text[], ARRAY(SELECT id FROM waiting WHERE id IS NOT NULL))) AS asked (id)
  WHERE NOT EXISTS (SELECT ${exhaustedProjectsSql('$1', 'asked.id')})`;

/** Those of the projects that have budget left; undefined: all with waiting tasks, '' for none. */
export async function findProjectsLeft(
  { db, tenantId }: DbScope,
  projects: readonly string[] | undefined,
): Promise<string[]> {
  return (await db.query<{ id: string }>(leftSql, [tenantId, projects ?? null])).map(({ id }) => id);
}

/**
 * The combined capabilities of a role's agents are checked for each task in the order of the index, once for all
 * agents.
 */
const pickOfRolesSql = `
  WITH claimers AS MATERIALIZED (${claimersSql})
  SELECT picked.*
  FROM (
    SELECT role, array_agg(id) AS ids, count(*) AS agents, ARRAY(
      SELECT DISTINCT unnest(capabilities) FROM claimers able WHERE able.role = claimers.role) AS capabilities
    FROM claimers GROUP BY role
  ) AS wanted, LATERAL (
    ${columns}
    WHERE assigned_role = wanted.role AND ${isDue}
      AND ${someEligibleSql('t', { ids: 'wanted.ids', capabilities: 'wanted.capabilities' })}
    ORDER BY rank, id LIMIT wanted.agents FOR NO KEY UPDATE SKIP LOCKED) AS picked`;

/**
 * Locks the first tasks of the agents' roles, in order, one per agent of the role. If there are fewer, no other task of
 * the role is left for any of them.
 */
export async function pickOfRoles({ db, tenantId }: DbScope, agentIds: readonly string[]): Promise<PickedTask[]> {
  return db.query<PickedTask>(pickOfRolesSql, [tenantId, agentIds]);
}

export type StartedTask = Task & { leaseId: string; assignedAgent: string; expiresAt: Date };

/** A started task, its timeline entries, how long its lease lasts, and the key of its claim. */
export type StartedRow = {
  task: StartedTask;
  entries: readonly NewTimelineEntry[];
  leaseSeconds: number;
  claimKey: string | null;
};

const startedFields = [
  'assignedAgent',
  'leaseId',
  'fencingToken',
  'firstClaimedAt',
  'updatedAt',
  'version',
  'timelineSeq',
] as const;

/** `ANY (ARRAY(…))` has the rows found by their keys, whatever the planner takes the sizes to be. */
const startSql = `
  WITH source AS (
    SELECT * FROM json_to_recordset($2::json) AS s (
      id text, ${taskSql.record(startedFields)}, "claimKey" text, "expiresAt" timestamptz, "leaseSeconds" int)
  ), started AS (
    UPDATE tasks t SET status = 'in_progress', ${taskSql.assign(startedFields, 's')},
      not_before = NULL, rests_until = NULL, stalled_at = NULL
    FROM source s WHERE t.tenant_id = $1 AND t.id = s.id AND t.id = ANY (ARRAY(SELECT id FROM source))
  ), leased AS (
    INSERT INTO leases (tenant_id, id, task_id, agent_id, fencing_token, started_at, expires_at, seconds, claim_key)
    SELECT $1, "leaseId", id, "assignedAgent", "fencingToken", "updatedAt", "expiresAt", "leaseSeconds", "claimKey"
    FROM source ORDER BY "leaseId"
  ), ${insertTimelineSql('$3')}
  UPDATE agents a SET active_leases = a.active_leases + taken.leases
  FROM (SELECT "assignedAgent" AS id, count(*)::int AS leases FROM source GROUP BY 1) AS taken
  WHERE a.tenant_id = $1 AND a.id = taken.id`;

/** Writes started tasks, each under its new lease. The agents are locked and have a free slot for each. */
export function writeStarted(tx: Tx, rows: readonly StartedRow[]): void {
  if (rows.length === 0) return;
  const source = rows.map(({ task, leaseSeconds, claimKey }) => ({
    id: task.id,
    ...taskSql.pick(startedFields, task),
    expiresAt: task.expiresAt,
    leaseSeconds,
    claimKey,
  }));
  const entries = rows.flatMap((row) => row.entries);
  sendWrite(tx, startSql, [tx.tenantId, JSON.stringify(source), JSON.stringify(entries)]);
}

/** The lease that a claim with this key got; null: it waits for an answer. */
export type GivenLease = { leaseId: string; taskId: string; fencingToken: number; expiresAt: Date | null };

const replayClaimSql = `
  WITH given AS (
    UPDATE leases SET is_claimed_again = true,
      claim_key = CASE WHEN parked_at IS NOT NULL OR expires_at > app_now() THEN claim_key END
    WHERE tenant_id = $1 AND agent_id = $2 AND claim_key = $3 AND ended_at IS NULL
    RETURNING id, task_id, fencing_token, expires_at, claim_key
  )
  SELECT id AS "leaseId", task_id AS "taskId", fencing_token AS "fencingToken", expires_at AS "expiresAt" FROM given
  WHERE claim_key IS NOT NULL`;

/**
 * The live lease that the locked agent got for an earlier claim with the key. From now on the first caller cannot give
 * it back. An expired lease releases the key.
 */
export async function replayClaim(
  { db, tenantId }: DbScope,
  agentId: string,
  claimKey: string,
): Promise<GivenLease | undefined> {
  const [lease] = await db.query<GivenLease>(replayClaimSql, [tenantId, agentId, claimKey]);
  return lease;
}
