import { readRollups, recount } from '@eas/analytics';
import type { Sink } from '../deliveries/start-sink.ts';
import { countBacklog } from '../harness/backlog.ts';
import type { Bench } from '../harness/bench.ts';
import type { Journal, Made } from './mixed-load.ts';

/** One thing that clients were told, compared with what is there. `wrong`: of so many, so many are not as told. */
export type Finding = { what: string; of: number; wrong: number; example?: string };

export type AuditInput = { bench: Bench; journal: Journal; sink: Sink; tenantId: string; faults: number };

/**
 * Compares what clients of the tenant were told with the database and with what the receiver got, after everything has
 * settled. Deliveries may come again once for each attempt that is recorded, and once for each time that processes or stores
 * were taken away while they were on their way.
 */
export async function audit(input: AuditInput): Promise<Finding[]> {
  return [
    ...(await auditTasks(input)),
    ...(await auditRuns(input)),
    await auditReceipts(input),
    ...(await auditDeliveries(input)),
    ...(await auditState(input)),
  ];
}

export function finding(what: string, of: number, wrong: readonly string[]): Finding {
  const [example] = wrong;
  return { what, of, wrong: wrong.length, ...(example === undefined ? {} : { example }) };
}

const missing = (told: readonly Made[], found: readonly { id: string; name: string }[]): string[] => {
  const byId = new Map(found.map(({ id, name }) => [id, name]));
  return told.filter(({ id, name }) => byId.get(id) !== name).map(({ id }) => id);
};

function doubled(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size === seen.add(name).size);
}

/** An agent that hears nothing for longer than its lease lasts loses it; the third time fails the task. */
const maxLostLeases = 3;

async function auditTasks({ bench, journal, tenantId }: AuditInput): Promise<Finding[]> {
  const { db } = bench.stores.database;
  const tasks = await db.query<{ id: string; name: string; status: string; by: string | null; lost: number }>(
    'SELECT id, title AS name, status, completed_by AS by, lost_leases AS lost FROM tasks WHERE tenant_id = $1',
    [tenantId],
  );
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const { tasks: told, completions } = journal;
  const isAsTold = ({ taskId, agentId }: Journal['completions'][number]) => {
    const task = byId.get(taskId);
    return task?.status === 'completed' && task.by === agentId;
  };
  const named = tasks.filter(({ name }) => /^(task|receipt) /.test(name));
  const hasFailed = ({ status, lost }: (typeof tasks)[number]) => status === 'failed' && lost >= maxLostLeases;
  const open = tasks.filter((task) => task.status !== 'completed' && !hasFailed(task));
  return [
    finding('tasks that were acknowledged exist', told.length, missing(told, tasks)),
    finding('no task was made twice', named.length, doubled(named.map(({ name }) => name))),
    finding(
      'completions that were acknowledged stand',
      completions.length,
      completions.filter((one) => !isAsTold(one)).map(({ taskId }) => taskId),
    ),
    finding(
      'no task was completed by two agents',
      completions.length,
      doubled(completions.map(({ taskId }) => taskId)),
    ),
    finding(
      `tasks are completed, or failed when ${maxLostLeases} leases were lost (${tasks.filter(hasFailed).length})`,
      tasks.length,
      open.map(({ id, status }) => `${id} ${status}`),
    ),
  ];
}

async function auditRuns({ bench, journal: { runs: told }, tenantId }: AuditInput): Promise<Finding[]> {
  const runs = await bench.stores.database.db.query<{ id: string; name: string; status: string; failed: boolean }>(
    `SELECT id, name, status, EXISTS (SELECT FROM tasks t WHERE t.tenant_id = r.tenant_id
       AND t.workflow_run_id = r.id AND t.status = 'failed') AS failed FROM workflow_runs r WHERE tenant_id = $1`,
    [tenantId],
  );
  return [
    finding('runs that were acknowledged exist', told.length, missing(told, runs)),
    finding('no run was started twice', runs.length, doubled(runs.map(({ name }) => name))),
    finding(
      'runs are completed, or failed with one of their tasks',
      runs.length,
      runs
        .filter(({ status, failed }) => status !== (failed ? 'failed' : 'completed'))
        .map(({ id, status }) => `${id} ${status}`),
    ),
  ];
}

async function auditReceipts({ bench, journal: { receipts }, tenantId }: AuditInput): Promise<Finding> {
  const linksSql = 'SELECT external_id AS id FROM task_links WHERE tenant_id = $1';
  const links = await bench.stores.database.db.query<{ id: string }>(linksSql, [tenantId]);
  const found = new Set(links.map(({ id }) => id));
  return finding(
    'webhooks that were acknowledged made their tasks',
    receipts.length,
    receipts.filter((id) => !found.has(id)),
  );
}

const deliveriesSql = 'SELECT event_id AS id, status, attempts FROM deliveries WHERE tenant_id = $1';
const eventsSql = `
  SELECT event_id AS id FROM events WHERE tenant_id = $1 AND event_type IN ('task.created', 'task.completed')`;

async function auditDeliveries({ bench, sink, tenantId, faults }: AuditInput): Promise<Finding[]> {
  const { db } = bench.stores.database;
  const [events, deliveries, byPath] = await Promise.all([
    db.query<{ id: string }>(eventsSql, [tenantId]),
    db.query<{ id: string; status: string; attempts: number }>(deliveriesSql, [tenantId]),
    sink.ids(),
  ]);
  const received = new Map([...byPath].map(([key, times]) => [key.replace(/^\S+ /, ''), times]));
  const rows = new Set(deliveries.map(({ id }) => id));
  const timesOf = (id: string) => received.get(id) ?? 0;
  const open = deliveries.filter(({ status }) => status !== 'delivered');
  const again = [...received.values()].reduce((sum, times) => sum + times - 1, 0);
  return [
    finding(
      'every event has a delivery',
      events.length,
      events.filter(({ id }) => !rows.has(id)).map(({ id }) => id),
    ),
    finding(
      'every delivery has ended well',
      deliveries.length,
      open.map(({ id, status }) => `${id} ${status}`),
    ),
    finding(
      'the receiver got every event',
      deliveries.length,
      deliveries.filter(({ id }) => timesOf(id) === 0).map(({ id }) => id),
    ),
    finding(
      `what it got again (${again}) is explained`,
      deliveries.length,
      deliveries.filter(({ id, attempts }) => timesOf(id) > attempts + faults).map(({ id }) => id),
    ),
  ];
}

const unmatchedSql = `
  SELECT t.id FROM tasks t LEFT JOIN leases l ON l.tenant_id = t.tenant_id AND l.id = t.lease_id AND l.ended_at IS NULL
  WHERE t.tenant_id = $1 AND (t.status IN ('in_progress', 'blocked')) <> (l.id IS NOT NULL)`;

async function auditState({ bench, tenantId }: AuditInput): Promise<Finding[]> {
  const { db } = bench.stores.database;
  const backlog = await countBacklog(bench);
  const [rollups, counted] = await Promise.all([readRollups({ db, tenantId }), recount({ db, tenantId })]);
  const texts = new Set(counted.map((row) => JSON.stringify(row)));
  const unmatched = await db.query<{ id: string }>(unmatchedSql, [tenantId]);
  return [
    finding('consumers owe nothing', 0, [...Array<string>(backlog.owed).keys()].map(String)),
    finding('no event is dead', 0, [...Array<string>(backlog.dead).keys()].map(String)),
    finding(
      'a task has a lease exactly while it is worked on',
      0,
      unmatched.map(({ id }) => id),
    ),
    finding(
      'figures are what counting again gives',
      counted.length,
      [...rollups, ...counted.slice(rollups.length)].map((row) => JSON.stringify(row)).filter((row) => !texts.has(row)),
    ),
  ];
}
