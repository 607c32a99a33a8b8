import { type DayRollup, readRollups, recount } from '@eas/analytics';
import type { ReceivedEvent } from '../../deliveries/sink.ts';
import type { Sink } from '../../deliveries/start-sink.ts';
import { type Backlog, countBacklog } from '../../harness/backlog.ts';
import type { Bench } from '../../harness/bench.ts';

type TaskFact = {
  id: string;
  name: string;
  status: string;
  completedBy: string | null;
  lostLeases: number;
  runId: string | null;
  summary: string | null;
  mark: string | null;
};
/** Times are Unix ms by the database's clock. */
type LeaseFact = {
  id: string;
  taskId: string;
  agentId: string;
  token: number;
  endedAt: number | null;
  endReason: string | null;
};

/** What the database of a tenant has, and what its receiver got, by SQL and requests of its own. */
export type Facts = {
  tasks: TaskFact[];
  runs: { id: string; name: string; status: string }[];
  leases: LeaseFact[];
  milestones: { taskId: string; name: string }[];
  /** The platform's task, and ours. */
  links: { externalId: string; taskId: string }[];
  /** task.created and task.completed. */
  events: { id: string }[];
  deliveries: { id: string; status: string; attempts: number }[];
  received: ReceivedEvent[];
  backlog: Backlog;
  /** Tasks in progress without a live lease, or with one in another status. */
  unmatched: string[];
  rollups: DayRollup[];
  recounted: DayRollup[];
};

const tasksSql = `
  SELECT id, title AS name, status, completed_by AS "completedBy", lost_leases AS "lostLeases", workflow_run_id AS "runId",
    result->>'summary' AS summary, result->'result'->>'mark' AS mark
  FROM tasks WHERE tenant_id = $1`;
const runsSql = 'SELECT id, name, status FROM workflow_runs WHERE tenant_id = $1';
const leasesSql = `
  SELECT id, task_id AS "taskId", agent_id AS "agentId", fencing_token AS token, end_reason AS "endReason",
    (extract(epoch FROM ended_at) * 1000)::float8 AS "endedAt"
  FROM leases WHERE tenant_id = $1`;
const milestonesSql = `
  SELECT task_id AS "taskId", milestone->>'name' AS name
  FROM task_timeline, jsonb_array_elements(data->'milestones') AS milestone
  WHERE tenant_id = $1 AND kind = 'progress'`;
const linksSql = 'SELECT external_id AS "externalId", task_id AS "taskId" FROM task_links WHERE tenant_id = $1';
const eventsSql = `
  SELECT event_id AS id FROM events WHERE tenant_id = $1 AND event_type IN ('task.created', 'task.completed')`;
const deliveriesSql = 'SELECT event_id AS id, status, attempts FROM deliveries WHERE tenant_id = $1';
const unmatchedSql = `
  SELECT t.id FROM tasks t LEFT JOIN leases l ON l.tenant_id = t.tenant_id AND l.id = t.lease_id AND l.ended_at IS NULL
  WHERE t.tenant_id = $1 AND (t.status IN ('in_progress', 'blocked')) <> (l.id IS NOT NULL)`;

export async function readFacts(bench: Bench, tenantId: string, sink: Sink): Promise<Facts> {
  const { db } = bench.stores.database;
  const read = <Row extends object>(sql: string) => db.query<Row>(sql, [tenantId]);
  const unmatched = await read<{ id: string }>(unmatchedSql);
  return {
    tasks: await read(tasksSql),
    runs: await read(runsSql),
    leases: await read(leasesSql),
    milestones: await read(milestonesSql),
    links: await read(linksSql),
    events: await read(eventsSql),
    deliveries: await read(deliveriesSql),
    received: await sink.events(),
    backlog: await countBacklog(bench),
    unmatched: unmatched.map(({ id }) => id),
    rollups: await readRollups({ db, tenantId }),
    recounted: await recount({ db, tenantId }),
  };
}
