import type { Db } from '@eas/db';

/** As after two years: nearly all final, uneven roles, agents and tags, rare values in each field, old overdue ones. */
const insertSql = `
  INSERT INTO tasks (tenant_id, id, title, description, status, priority, due_date, assigned_role, assigned_agent,
    tags, metadata, created_at, updated_at, rank, waits_since, timeline_seq, lease_id, completed_at)
  SELECT $1, id, 'Task ' || md5((n * 7 % ($2::int / 2 + 1))::text), repeat('description ', 20), status,
    CASE WHEN n % 5000 = 11 THEN 'critical' ELSE (ARRAY['medium', 'medium', 'medium', 'high', 'low', 'urgent'])[1 + n % 6] END,
    CASE WHEN n % 10 < 7 THEN date_trunc('day', at) + (n % 30 + 1) * interval '1 day' + (n % 1440) * interval '1 minute' END,
    CASE WHEN n % 20 = 0 THEN NULL WHEN n < 50 THEN 'rare' ELSE (ARRAY['rd', 'rd', 'rd', 'qa', 'pm'])[1 + n % 5] END,
    CASE WHEN status <> 'created' THEN 'agt_' || $1::text || (199 * power((n::bigint * 7919 % 10007) / 10007.0, 3))::int END,
    ARRAY['team-' || n % 40, CASE WHEN n % 3000 = 5 THEN 'rare' ELSE 'backend' END]
      || CASE WHEN n < $2::int / 5 THEN ARRAY['legacy'] ELSE '{}' END,
    jsonb_build_object('ticket_id', 'ENG-' || n, 'repository', 'acme/repo-' || n % 25),
    at, at, at, at, 1, CASE WHEN status IN ('in_progress', 'blocked') THEN 'lse_' || $1 || n END, CASE WHEN status = 'completed' THEN at END
  FROM (
    SELECT n, at, 'tsk_' || ulid_prefix(at) || lpad(n::text, 16, '0') AS id, CASE
      WHEN n < $2 * 0.95 THEN CASE WHEN n % 20 = 3 THEN 'cancelled' WHEN n % 1000 = 7 THEN 'failed' ELSE 'completed' END
      WHEN n % 100 = 1 THEN 'blocked' WHEN n % 7 = 3 THEN 'in_progress' WHEN n % 3 = 0 THEN 'open' ELSE 'created' END AS status
    FROM generate_series($3::int, least($3::int + 99999, $2::int)) AS n,
      date_trunc('milliseconds', app_now() - ($2::int - n)::float8 / $2::int * interval '2 years') AS at
  ) AS drawn`;

const labelSql = `
  INSERT INTO task_labels (tenant_id, label, task_id)
  SELECT tenant_id, label, id FROM tasks, task_labels_of(tags, metadata, workflow_run_id) AS label WHERE tenant_id = $1 AND id LIKE $2`;

const agentSql = `
  INSERT INTO agents (tenant_id, id, name, role, created_at, updated_at)
  SELECT $1, 'agt_' || $1::text || n, 'Agent', 'rd', app_now(), app_now() FROM generate_series(0, 199) AS n ON CONFLICT DO NOTHING`;

export async function fillTenant(db: Db, tenantId: string, tasks: number): Promise<void> {
  await db.query('INSERT INTO tenants (id, slug, name) VALUES ($1, $1, $1) ON CONFLICT DO NOTHING', [tenantId]);
  await db.query(agentSql, [tenantId]);
  // In parts that stay below the time that a statement may take.
  for (let first = 1; first <= tasks; first += 100_000) await db.query(insertSql, [tenantId, tasks, first]);
  for (let part = 0; part < 10; part += 1) await db.query(labelSql, [tenantId, `tsk_%${part}`]);
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
