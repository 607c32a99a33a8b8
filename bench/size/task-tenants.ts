import type { Db } from '@eas/db';

/** Tasks that one statement makes, so that it stays below the time it may take. */
const part = 50_000;

/**
 * As after two years: nearly all final, uneven roles, agents and tags, rare values in each field, old overdue ones. No
 * agent has the role of what waits.
 */
const tasksSql = `
  INSERT INTO tasks (tenant_id, id, title, description, status, priority, due_date, assigned_role, assigned_agent,
    tags, metadata, created_at, updated_at, rank, waits_since, timeline_seq, lease_id, fencing_token, first_claimed_at,
    completed_at, stalled_at)
  SELECT $1, id, 'Task ' || md5((n * 7 % ($2::int / 2 + 1))::text), repeat('description ', 20), status,
    CASE WHEN n % 5000 = 11 THEN 'critical' ELSE (ARRAY['medium', 'medium', 'medium', 'high', 'low', 'urgent'])[1 + n % 6] END,
    CASE WHEN n % 10 < 7 THEN date_trunc('day', at) + (n % 30 + 1) * interval '1 day' + (n % 1440) * interval '1 minute' END,
    CASE WHEN n % 20 = 0 THEN NULL WHEN n < 50 THEN 'rare' ELSE (ARRAY['rd', 'rd', 'rd', 'qa', 'pm'])[1 + n % 5] END,
    CASE WHEN status <> 'created' THEN 'agt_' || $1::text || (199 * power((n::bigint * 7919 % 10007) / 10007.0, 3))::int END,
    ARRAY['team-' || n % 40, CASE WHEN n % 3000 = 5 THEN 'rare' ELSE 'backend' END]
      || CASE WHEN n < $2::int / 5 THEN ARRAY['legacy'] ELSE '{}' END,
    jsonb_build_object('ticket_id', 'ENG-' || n, 'repository', 'acme/repo-' || n % 25),
    at, at, at, at, CASE WHEN status = 'created' THEN 0 ELSE 3 END,
    CASE WHEN status IN ('in_progress', 'blocked') THEN 'lse_' || $1 || n END,
    CASE WHEN status = 'created' THEN 0 ELSE 1 END, CASE WHEN status <> 'created' THEN at + interval '1 minute' END,
    CASE WHEN status = 'completed' THEN at + (1 + n % 300) * interval '1 minute' END,
    CASE WHEN status = 'in_progress' THEN at END
  FROM (
    SELECT n, at, 'tsk_' || ulid_prefix(at) || lpad(n::text, 16, '0') AS id, CASE
      WHEN n < $2 * 0.95 THEN CASE WHEN n % 20 = 3 THEN 'cancelled' WHEN n % 1000 = 7 THEN 'failed' ELSE 'completed' END
      WHEN n % 100 = 1 THEN 'blocked' WHEN n % 7 = 3 THEN 'in_progress' WHEN n % 3 = 0 THEN 'open' ELSE 'created' END AS status
    FROM generate_series($3::int, least($3::int + ${part - 1}, $2::int)) AS n,
      date_trunc('milliseconds', app_now() - ($2::int - n)::float8 / $2::int * interval '2 years') AS at
  ) AS drawn
  RETURNING *`;

const labelsSql = `
  INSERT INTO task_labels (tenant_id, label, task_id)
  SELECT t.tenant_id, label, t.id FROM t, task_labels_of(t.tags, t.metadata, t.workflow_run_id, t.project_id) AS label`;

/** What agents did, and what analytics knows of it. */
const historySql = `
  entries AS (
    INSERT INTO task_timeline (tenant_id, task_id, seq, kind, at, actor, data)
    SELECT t.tenant_id, t.id, e.seq, e.kind, t.created_at + e.seq * interval '1 minute', t.assigned_agent, e.data::jsonb
    FROM t, (VALUES (1, 'status_change', '{"from": "created", "to": "in_progress"}'),
      (2, 'comment', '{"content": "The cause is found, the change is being tested."}'),
      (3, 'status_change', '{"from": "in_progress", "to": "completed"}')) AS e (seq, kind, data)
    WHERE t.status <> 'created'
  ), ended AS (
    INSERT INTO leases (tenant_id, id, task_id, agent_id, fencing_token, started_at, expires_at, ended_at, end_reason)
    SELECT t.tenant_id, 'lse_' || substr(t.id, 5), t.id, t.assigned_agent, 1, t.first_claimed_at,
      t.first_claimed_at + interval '1 hour', t.first_claimed_at + interval '1 hour', 'completed'
    FROM t WHERE t.status IN ('completed', 'cancelled', 'failed')
  ), live AS (
    INSERT INTO leases (tenant_id, id, task_id, agent_id, fencing_token, started_at, expires_at)
    SELECT t.tenant_id, t.lease_id, t.id, t.assigned_agent, 1, t.first_claimed_at, app_now() + interval '30 days'
    FROM t WHERE t.lease_id IS NOT NULL
  ), facts AS (
    INSERT INTO analytics_task_facts (tenant_id, task_id, version, role, status, created_at, due_date, first_claimed_at,
      completed_at, agent, sent_back, ready_at)
    SELECT tenant_id, id, version, coalesce(assigned_role, ''), status, created_at, due_date, first_claimed_at, completed_at,
      coalesce(assigned_agent, ''), sent_back, created_at
    FROM t
  )`;

const agentSql = `
  INSERT INTO agents (tenant_id, id, name, role, created_at, updated_at)
  SELECT $1, 'agt_' || $1::text || n, 'Agent', 'away', app_now(), app_now() FROM generate_series(0, 199) AS n ON CONFLICT DO NOTHING`;

/** `hasHistory`: with timelines, leases and the facts of analytics. */
export async function fillTenant(db: Db, tenantId: string, tasks: number, hasHistory = false): Promise<void> {
  await db.query('INSERT INTO tenants (id, slug, name) VALUES ($1, $1, $1) ON CONFLICT DO NOTHING', [tenantId]);
  await db.query(agentSql, [tenantId]);
  const history = hasHistory ? `, ${historySql}` : '';
  for (let first = 1; first <= tasks; first += part)
    await db.query(`WITH t AS (${tasksSql})${history} ${labelsSql}`, [tenantId, tasks, first]);
}

/** Runs the load without the indexes of tasks that only make it slower, and puts them back. */
export async function withoutTaskIndexes(db: Db, load: () => Promise<void>): Promise<void> {
  const indexes = await db.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename = 'tasks' AND indexname <> 'tasks_pkey'`,
  );
  for (const { name } of indexes) await db.query(`DROP INDEX ${name}`);
  await load();
  for (const { definition } of indexes) await db.query(definition);
  for (const table of ['tasks', 'task_labels', 'task_count_deltas']) await db.query(`VACUUM ANALYZE ${table}`);
}
