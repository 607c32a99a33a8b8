import {
  type AgentListQuery,
  agentStatuses,
  maxShownEntries,
  type NameResource,
  type Page,
  type PageOfItems,
  presences,
} from '@eas/contracts';
import { type Db, type DbScope, equalFields, fetchPage, type ListSource, type BatchResult } from '@eas/db';
import { isEligibleSql } from '../records/tasks/eligibility.ts';
import type { TaskStatus } from '../records/tasks/task.ts';
import type { Agent } from '../records/agents/agent.ts';

const columns = `
  id, name, role, capabilities, max_concurrent_tasks AS "maxConcurrentTasks", active_leases AS "activeLeases",
  is_accepting AS "isAccepting", presence, created_at AS "createdAt",
  CASE WHEN seen_by IS NULL THEN last_seen_at ELSE app_now() END AS "lastSeenAt"`;

/** Agents that are seen now share one position of the order, which does not move from page to page. */
const lastActiveSql = `
  CASE WHEN seen_by IS NULL THEN coalesce(last_seen_at, created_at) ELSE timestamptz '9999-12-31T00:00:00Z' END`;

const statusSql = `CASE WHEN active_leases = 0 THEN 'idle'
  WHEN active_leases >= max_concurrent_tasks THEN 'busy' ELSE 'active' END`;

export type AgentFilter = Omit<AgentListQuery, 'limit' | 'offset' | 'after' | 'sort'>;

const source: ListSource = {
  from: 'agents',
  columns,
  visible: 'deleted_at IS NULL',
  sortable: {
    id: { sql: 'id', type: 'text' },
    name: { sql: 'name', type: 'text' },
    role: { sql: 'role', type: 'text' },
    status: { sql: statusSql, type: 'text', order: agentStatuses },
    max_concurrent_tasks: { sql: 'max_concurrent_tasks', type: 'int' },
    accepting: { sql: "CASE WHEN is_accepting THEN 'true' ELSE 'false' END", type: 'text' },
    presence: { sql: 'presence', type: 'text', order: presences },
    created_at: { sql: 'created_at', type: 'timestamptz' },
    last_active: { sql: lastActiveSql, type: 'timestamptz' },
  },
};

export async function pageAgents(scope: DbScope, filter: AgentFilter, page: Page): Promise<PageOfItems<Agent>> {
  return fetchPage<Agent>(scope, source, equalFields(source, filter), page);
}

const namesSql = `
  SELECT id, 'agent' AS kind, name, deleted_at IS NOT NULL AS is_removed FROM agents WHERE tenant_id = $1 AND id = ANY ($2)`;

/** Of removed ones too: the rows stay. */
export const findAgentNames = ({ db, tenantId }: DbScope, ids: readonly string[]): Promise<NameResource[]> =>
  db.query<NameResource>(namesSql, [tenantId, ids]);

export type AgentWithStats = Agent & {
  version: number;
  tasksCompleted: number;
  completionMsTotal: number;
  qualityTotal: number;
  qualityCount: number;
};

const withStats = `${columns}, version, tasks_completed AS "tasksCompleted", completion_ms_total AS "completionMsTotal",
  quality_total AS "qualityTotal", quality_count AS "qualityCount"`;

type CurrentTask = { id: string; title: string; status: TaskStatus };

/** One more than is shown, to know whether there are more. */
const currentSql = (tenant: string, agent: string) => `
  SELECT id, title, status, rank FROM tasks
  WHERE tenant_id = ${tenant} AND assigned_agent = ${agent} AND status NOT IN ('completed', 'failed', 'cancelled')
  ORDER BY rank, id LIMIT ${maxShownEntries + 1}`;

/** Whether a task that is not final is planned for the agent or held by it. */
export async function hasCurrentTasks({ db, tenantId }: DbScope, agentId: string): Promise<boolean> {
  return (await db.query(currentSql('$1', '$2'), [tenantId, agentId])).length > 0;
}

/** `currentTasks`: those planned for it or held by it that are not final, in the order of claims. */
type AgentWithTasks = AgentWithStats & { currentTasks: CurrentTask[] };

const withTasksSql = `
  SELECT position::int, ${withStats}, (
    SELECT coalesce(json_agg(json_build_object('id', id, 'title', title, 'status', status) ORDER BY rank, id), '[]')
    FROM (${currentSql('a.tenant_id', 'a.id')}) AS first
  ) AS "currentTasks"
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (asked_tenant, asked_id, position)
  JOIN agents a ON a.tenant_id = asked_tenant AND a.id = asked_id AND a.deleted_at IS NULL`;

/** Agents of any tenants, each with its current tasks from the same snapshot. Gathered. */
export async function findAgentsWithTasks(
  db: Db,
  asked: readonly { tenantId: string; id: string }[],
): Promise<BatchResult<AgentWithTasks | undefined>[]> {
  const keys = [asked.map(({ tenantId }) => tenantId), asked.map(({ id }) => id)];
  const found = new Map<number, AgentWithTasks>();
  for (const { position, ...agent } of await db.query<AgentWithTasks & { position: number }>(withTasksSql, keys))
    found.set(position, agent);
  return asked.map((_, index) => ({ ok: true, value: found.get(index + 1) }));
}

/** Whether it may claim now is another question: a task may wait, an agent may have no slot. */
const ofAgentSql = `
  SELECT FROM tasks t JOIN agents a ON a.tenant_id = t.tenant_id
  WHERE t.tenant_id = $1 AND t.id = $2 AND a.id = $3 AND a.deleted_at IS NULL AND (
    t.assigned_agent = a.id OR t.status IN ('created', 'open') AND ${isEligibleSql('t', (column) => `a.${column}`)})`;

/** Whether the agent holds the task, is planned for it, had it when it ended, or may claim it. */
export async function isTaskOfAgent(
  { db, tenantId }: DbScope,
  { taskId, agentId }: { taskId: string; agentId: string },
): Promise<boolean> {
  return (await db.query(ofAgentSql, [tenantId, taskId, agentId])).length > 0;
}

/** An agent that may be planned for; `waiting`: it waits in a claim. */
export type PlanningAgent = {
  id: string;
  role: string;
  capabilities: string[];
  standing: 'waiting' | 'online' | 'away' | 'paused';
  assigned: number;
  idleSince: Date;
};

/** Agents with more tasks are all alike. */
const maxAssigned = 1_000;

const planningSql = `
  SELECT a.id, a.role, a.capabilities, coalesce(a.idle_since, a.created_at) AS "idleSince",
    CASE WHEN NOT a.is_accepting THEN 'paused' WHEN a.waiting_until > app_now() THEN 'waiting'
      WHEN a.presence = 'online' THEN 'online' ELSE 'away' END AS standing,
    (SELECT count(*) FROM (
      SELECT FROM tasks t WHERE t.tenant_id = a.tenant_id AND t.assigned_agent = a.id
        AND t.status NOT IN ('completed', 'failed', 'cancelled') LIMIT ${maxAssigned}
    ) AS own) AS assigned
  FROM agents a
  WHERE a.tenant_id = $1 AND a.role = ANY ($2) AND (a.is_accepting OR $3) AND a.deleted_at IS NULL
  FOR KEY SHARE OF a`;

/** Accepting agents of the roles (others when asked for). None is removed until the transaction ends. */
export async function agentsForPlanning(
  { db, tenantId }: DbScope,
  roles: readonly string[],
  { withPaused = false } = {},
): Promise<PlanningAgent[]> {
  return db.query<PlanningAgent>(planningSql, [tenantId, roles, withPaused]);
}
