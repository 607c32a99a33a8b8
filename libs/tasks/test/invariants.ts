import { consumersOf, type StoredEvent } from '@eas/contracts';
import type { DbScope } from '@eas/db';
import { assertTransition, type TaskStatus } from '../src/records/tasks/task.ts';

/** Each query gives one row per breach. */
const breaches = {
  'in progress without its own live lease': `
    SELECT t.id FROM tasks t LEFT JOIN leases l ON l.tenant_id = t.tenant_id AND l.id = t.lease_id AND l.ended_at IS NULL
    WHERE t.tenant_id = $1 AND (t.status = 'in_progress') IS DISTINCT FROM (l.id IS NOT NULL AND l.parked_at IS NULL
      AND l.task_id = t.id AND l.agent_id = t.assigned_agent AND l.fencing_token = t.fencing_token)`,
  'blocked without its own parked lease': `
    SELECT t.id FROM tasks t LEFT JOIN leases l ON l.tenant_id = t.tenant_id AND l.id = t.lease_id AND l.ended_at IS NULL
    WHERE t.tenant_id = $1 AND (t.status = 'blocked') IS DISTINCT FROM (l.id IS NOT NULL AND l.parked_at IS NOT NULL
      AND l.task_id = t.id AND l.agent_id = t.assigned_agent AND l.fencing_token = t.fencing_token)`,
  'a question of a lease that has ended': `
    SELECT i.id FROM inputs i JOIN leases l ON l.tenant_id = i.tenant_id AND l.id = i.lease_id
    WHERE i.tenant_id = $1 AND i.status = 'pending' AND l.ended_at IS NOT NULL`,
  'a lease that was taken away without a directive': `
    SELECT l.id FROM leases l WHERE l.tenant_id = $1 AND NOT EXISTS (SELECT FROM directives d
      WHERE d.tenant_id = $1 AND d.lease_id = l.id AND d.kind IN ('cancel', 'lease_lost'))
      AND l.end_reason IN ('completed_elsewhere', 'cancelled', 'expired', 'parked_too_long', 'agent_removed')`,
  'directives with a gap, or a counter that is not their end': `
    SELECT t.id FROM tasks t LEFT JOIN directives d ON d.tenant_id = t.tenant_id AND d.task_id = t.id
    WHERE t.tenant_id = $1 GROUP BY t.id, t.directive_seq
    HAVING count(d.seq) <> t.directive_seq OR coalesce(max(d.seq), 0) <> t.directive_seq`,
  'a task that was tried too often': `
    SELECT id FROM tasks WHERE tenant_id = $1 AND (failures > 3 OR lost_leases > 3 OR
      (failures = 3 OR lost_leases = 3) AND status NOT IN ('failed', 'completed', 'cancelled'))`,
  'a live lease of a task that is not under it': `
    SELECT l.id FROM leases l JOIN tasks t ON t.tenant_id = l.tenant_id AND t.id = l.task_id
    WHERE l.tenant_id = $1 AND l.ended_at IS NULL AND (t.status NOT IN ('in_progress', 'blocked') OR t.lease_id IS DISTINCT FROM l.id)`,
  'a parked lease without the one input that it waits for, or an answered one with it': `
    SELECT l.id FROM leases l WHERE l.tenant_id = $1 AND l.ended_at IS NULL AND l.parked_at IS NOT NULL
      AND (l.revive_until IS NULL) <> EXISTS (SELECT FROM inputs i WHERE i.tenant_id = $1 AND i.task_id = l.task_id
        AND i.lease_id = l.id AND i.is_blocking AND i.status = 'pending')`,
  'in review without an author, a review that no task waits for, or work claimed by an agent that may not do it': `
    SELECT t.id FROM tasks t
    WHERE t.tenant_id = $1 AND (t.review_task_id IS NOT NULL AND t.status <> 'in_review'
      OR t.status = 'in_review' AND t.completed_by IS NULL OR t.completed_at IS NOT NULL AND t.status <> 'completed'
      OR t.assigned_agent = t.not_for AND t.status IN ('created', 'open'))`,
  'a task in two live leases': `
    SELECT task_id AS id FROM leases WHERE tenant_id = $1 AND ended_at IS NULL GROUP BY task_id HAVING count(*) > 1`,
  'a live lease of an agent that may not do the task: of another role, not able to, or the one that it is not for': `
    SELECT l.id FROM leases l JOIN tasks t ON t.tenant_id = l.tenant_id AND t.id = l.task_id
      JOIN agents a ON a.tenant_id = l.tenant_id AND a.id = l.agent_id
    WHERE l.tenant_id = $1 AND l.ended_at IS NULL AND (a.id = t.not_for OR NOT t.is_pinned AND t.assigned_role <> a.role
      OR NOT coalesce(t.metadata -> 'required_capabilities', '[]') <@ to_jsonb(a.capabilities))`,
  'a claim by another agent than the one that a person chose': `
    SELECT c.task_id AS id, c.seq FROM task_timeline c, LATERAL (
      SELECT agent FROM (
        SELECT seq, data ->> 'assigned_agent' AS agent, data ->> 'reason' IN ('assigned by request', 'handed over to this agent') AS by_hand
        FROM task_timeline WHERE tenant_id = $1 AND task_id = c.task_id AND kind = 'assignment' AND seq < c.seq
        UNION ALL SELECT 1, data ->> 'assigned_agent', true FROM events
        WHERE tenant_id = $1 AND event_type = 'task.created' AND data ->> 'task_id' = c.task_id
        ORDER BY seq DESC LIMIT 1
      ) AS newest WHERE by_hand
    ) AS chosen
    WHERE c.tenant_id = $1 AND c.kind = 'status_change' AND c.data ->> 'to' = 'in_progress'
      AND c.data ->> 'from' <> 'blocked' AND chosen.agent <> c.actor`,
  'a plan for an agent that may not do the task': `
    SELECT t.id FROM tasks t JOIN agents a ON a.tenant_id = t.tenant_id AND a.id = t.assigned_agent
    WHERE t.tenant_id = $1 AND t.status IN ('created', 'open') AND NOT t.is_pinned AND (a.id = t.not_for
      OR t.assigned_role <> a.role OR NOT coalesce(t.metadata -> 'required_capabilities', '[]') <@ to_jsonb(a.capabilities))`,
  'a fencing token given twice, or above the task’s': `
    SELECT t.id FROM tasks t JOIN leases l ON l.tenant_id = t.tenant_id AND l.task_id = t.id WHERE t.tenant_id = $1
    GROUP BY t.id, t.fencing_token
    HAVING count(*) <> count(DISTINCT l.fencing_token) OR max(l.fencing_token) > t.fencing_token`,
  'an agent whose slots are not its live leases, or too many': `
    SELECT a.id FROM agents a WHERE a.tenant_id = $1 AND (a.active_leases > a.max_concurrent_tasks OR a.active_leases <>
      (SELECT count(*) FROM leases l WHERE l.tenant_id = $1 AND l.agent_id = a.id AND l.ended_at IS NULL
        AND l.parked_at IS NULL))`,
  'an agent whose stats are not those of the tasks that it completed': `
    SELECT a.id FROM agents a, LATERAL (
      SELECT count(*) AS tasks, count(code_quality) AS scores, coalesce(sum(code_quality), 0) AS quality,
        coalesce(sum(round(greatest(0, extract(epoch FROM completed_at - first_claimed_at)) * 1000)), 0) AS ms
      FROM tasks t WHERE t.tenant_id = $1 AND t.completed_by = a.id AND t.status = 'completed'
    ) AS own WHERE a.tenant_id = $1 AND (a.tasks_completed, a.quality_count, a.quality_total, a.completion_ms_total)
      <> (own.tasks, own.scores, own.quality, own.ms)`,
  'a number of comments that is not theirs': `
    SELECT t.id FROM tasks t WHERE t.tenant_id = $1 AND t.comment_count <> (SELECT count(*) FROM task_timeline e
      WHERE e.tenant_id = t.tenant_id AND e.task_id = t.id AND e.kind = 'comment')`,
  'a review that agents of any role may do': `
    SELECT id FROM tasks WHERE tenant_id = $1 AND review_of IS NOT NULL AND status IN ('created', 'open')
      AND assigned_role IS NULL AND NOT is_pinned`,
  'an agent whose stats are negative': `
    SELECT id FROM agents WHERE tenant_id = $1
      AND least(tasks_completed, completion_ms_total, quality_total, quality_count, active_leases) < 0`,
  'a task that is open again and keeps the time or the result of work that was done with': `
    SELECT t.id FROM tasks t, LATERAL (
      SELECT e.data ->> 'from' AS was FROM task_timeline e WHERE e.tenant_id = t.tenant_id AND e.task_id = t.id
        AND e.kind = 'status_change' ORDER BY e.seq DESC LIMIT 1
    ) AS last WHERE t.tenant_id = $1 AND t.status = 'open' AND last.was IN ('completed', 'failed', 'cancelled')
      AND (t.first_claimed_at IS NOT NULL OR t.result IS NOT NULL)`,
  'how long a task took that is not completed, or took as long as another time': `
    SELECT d.task_id AS id FROM task_durations d LEFT JOIN tasks t ON t.tenant_id = d.tenant_id AND t.id = d.task_id
    WHERE d.tenant_id = $1 AND (t.status, t.completed_at,
        round(greatest(0, extract(epoch FROM t.completed_at - t.first_claimed_at)) * 1000))
      IS DISTINCT FROM ('completed', d.completed_at, d.duration_ms)`,
  'work of an agent that was removed': `
    SELECT t.id FROM tasks t JOIN agents a ON a.tenant_id = t.tenant_id AND a.id = t.assigned_agent
    WHERE t.tenant_id = $1 AND a.deleted_at IS NOT NULL AND t.status NOT IN ('completed', 'failed', 'cancelled')`,
  'a timeline with a gap, or a counter that is not its end': `
    SELECT t.id FROM tasks t LEFT JOIN task_timeline e ON e.tenant_id = t.tenant_id AND e.task_id = t.id
    WHERE t.tenant_id = $1 GROUP BY t.id, t.timeline_seq
    HAVING count(e.seq) <> t.timeline_seq OR min(e.seq) <> 1 OR max(e.seq) <> t.timeline_seq`,
  'a timeline whose times run backwards': `
    SELECT e.task_id AS id, e.seq FROM task_timeline e JOIN task_timeline b
      ON b.tenant_id = e.tenant_id AND b.task_id = e.task_id AND b.seq = e.seq - 1
    WHERE e.tenant_id = $1 AND e.at < b.at`,
  'entries and events that differ': `
    WITH published AS (
      SELECT data ->> 'task_id' AS id, event_type AS type FROM events WHERE tenant_id = $1 AND event_type LIKE 'task.%'
        AND (event_type <> 'task.updated' OR data ->> 'from' <> data ->> 'to')
    ), recorded AS (
      SELECT task_id AS id, CASE kind WHEN 'created' THEN 'task.created' WHEN 'comment' THEN 'task.commented'
        WHEN 'assignment' THEN 'task.assigned' WHEN 'input' THEN 'task.asked'
        WHEN 'answer' THEN 'task.answered' ELSE CASE data ->> 'to'
        WHEN 'in_progress' THEN CASE data ->> 'from' WHEN 'blocked' THEN 'task.updated' ELSE 'task.started' END
        WHEN 'open' THEN 'task.updated' WHEN 'in_review' THEN 'task.updated' ELSE 'task.' || (data ->> 'to') END END AS type
      FROM task_timeline WHERE tenant_id = $1 AND kind IN ('created', 'comment', 'assignment', 'input', 'answer', 'status_change')
        AND (kind <> 'assignment' OR data ->> 'assigned_agent' IS NOT NULL)
    )
    SELECT id, type FROM (SELECT *, 1 AS n FROM published UNION ALL SELECT *, -1 FROM recorded) AS both_of
    GROUP BY id, type HAVING sum(n) <> 0`,
  'a cancelled input without its event, or an event without a cancelled input': `
    SELECT coalesce(i.id, e.data ->> 'input_id') AS id FROM (SELECT * FROM inputs WHERE tenant_id = $1 AND status = 'cancelled') AS i
    FULL JOIN (SELECT data FROM events WHERE tenant_id = $1 AND event_type = 'input.cancelled') AS e
      ON e.data ->> 'input_id' = i.id AND e.data ->> 'task_id' = i.task_id
    GROUP BY 1 HAVING count(i.id) <> 1 OR count(e.data) <> 1`,
  'facts of one version twice, or the newest not as the task is': `
    SELECT t.id FROM tasks t JOIN events e ON e.tenant_id = t.tenant_id AND e.data ->> 'task_id' = t.id
    WHERE t.tenant_id = $1 AND json_typeof(e.facts) = 'object' GROUP BY t.id, t.status, t.version
    HAVING count(*) <> count(DISTINCT e.facts ->> 'version') OR max((e.facts ->> 'version')::int) > t.version
      OR (array_agg(e.facts ->> 'status' ORDER BY (e.facts ->> 'version')::int DESC))[1] <> t.status`,
  'labels that are not those of the task': `
    WITH due AS (
      SELECT id, label FROM tasks, task_labels_of(tags, metadata, workflow_run_id, project_id) AS label WHERE tenant_id = $1
    ), had AS (SELECT task_id AS id, label FROM task_labels WHERE tenant_id = $1)
    (SELECT * FROM due EXCEPT SELECT * FROM had) UNION ALL (SELECT * FROM had EXCEPT SELECT * FROM due)`,
  'a total that is not the number of tasks': `
    SELECT status, role, sum(n) AS n FROM (
      SELECT status, role, n FROM task_counts WHERE tenant_id = $1
      UNION ALL SELECT status, role, n FROM task_count_deltas WHERE tenant_id = $1
      UNION ALL SELECT status, coalesce(assigned_role, ''), -1 FROM tasks WHERE tenant_id = $1) AS counted
    GROUP BY status, role HAVING sum(n) <> 0`,
  'a task whose id holds another moment than created_at': `
    SELECT id FROM tasks WHERE tenant_id = $1 AND substr(id, 5, 10) <> ulid_prefix(created_at)`,
};

const eventsSql = `SELECT event_id AS id, event_type AS type, data, facts FROM events WHERE tenant_id = $1`;
const pendingSql = `SELECT unnest(coalesce(event_ids, ARRAY[event_id])) || ' ' || consumer AS pending FROM outbox WHERE tenant_id = $1`;

const chainSql = `
  SELECT t.id, t.status, (SELECT coalesce(json_agg(e.data ORDER BY e.seq), '[]') FROM task_timeline e
    WHERE e.tenant_id = t.tenant_id AND e.task_id = t.id AND e.kind = 'status_change') AS moves
  FROM tasks t WHERE t.tenant_id = $1`;

type Move = { from: TaskStatus; to: TaskStatus };

/** What is wrong with the tenant's tasks, leases, agents and events; empty when nothing is. Holds while others act. */
export async function findTaskBreaches({ db, tenantId }: DbScope): Promise<string[]> {
  const found: string[] = [];
  for (const [what, sql] of Object.entries(breaches))
    for (const row of await db.query(sql, [tenantId])) found.push(`${what}: ${JSON.stringify(row)}`);
  for (const task of await db.query<{ id: string; status: string; moves: Move[] }>(chainSql, [tenantId]))
    found.push(...chainBreaches(task).map((what) => `${what}: ${task.id}`));
  return found;
}

/** The same, and that the outbox contains all pending events; only while no consumer runs. */
export async function findBreaches({ db, tenantId }: DbScope): Promise<string[]> {
  const found = await findTaskBreaches({ db, tenantId });
  const events = await db.query<StoredEvent & { id: string }>(eventsSql, [tenantId]);
  const due = events.flatMap(({ id, type, data, facts }) =>
    consumersOf(type, data, facts as never).map((consumer) => `${id} ${consumer}`),
  );
  const pending = (await db.query<{ pending: string }>(pendingSql, [tenantId])).map((row) => row.pending);
  const isOdd = (one: string) => !due.includes(one) || !pending.includes(one);
  for (const one of new Set([...due, ...pending].filter(isOdd)))
    found.push(`the outbox does not match the pending events: ${one}`);
  return found;
}

function chainBreaches({ status, moves }: { status: string; moves: Move[] }): string[] {
  const found: string[] = [];
  let current: string = 'created';
  for (const { from, to } of moves) {
    if (from !== current) found.push(`a move from ${from} while the task was ${current}`);
    try {
      assertTransition(from, to);
    } catch {
      found.push(`a move from ${from} to ${to}`);
    }
    current = to;
  }
  if (current !== status) found.push(`moves that end at ${current} while the task is ${status}`);
  return found;
}

/** Fencing tokens by task: they never fall. */
export async function fencingTokens({ db, tenantId }: DbScope): Promise<Map<string, number>> {
  const rows = await db.query<{ id: string; token: number }>(
    'SELECT id, fencing_token AS token FROM tasks WHERE tenant_id = $1',
    [tenantId],
  );
  return new Map(rows.map(({ id, token }) => [id, token]));
}
