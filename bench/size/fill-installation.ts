import { nextOverdueAt, sweepOverdue } from '@eas/analytics';
import { waitForAll } from '@eas/core';
import { type Database, type Db, sweepEach } from '@eas/db';
import { aggregateTaskCounts } from '@eas/tasks';
import { fillTenant, withoutTaskIndexes } from './task-tenants.ts';

export type Installation = { tasks: number; tenants: number; largest: string };

/** Days for which events and deliveries are kept by default. */
const [eventDays, deliveryDays] = [90, 30];
/** Of all tasks, those of the largest tenant. */
const largestShare = 0.8;

/**
 * Fills a database with what an installation has after two years: tasks with labels, timelines, leases and facts of all
 * tenants, and events with deliveries as long as they are kept. Two statements run at a time.
 */
export async function fillInstallation(database: Database, { tasks, tenants, largest }: Installation): Promise<void> {
  const { db } = database;
  const others = Array.from({ length: tenants - 1 }, (_, index) => `tnt_other${index}`);
  const each = Math.floor((tasks * (1 - largestShare)) / others.length);
  await withoutChecks(db, () =>
    withoutTaskIndexes(db, async () => {
      const rest = others.values();
      const fillOthers = async () => {
        for (const tenant of rest) await fillTenant(db, tenant, each, true);
      };
      await waitForAll([fillTenant(db, largest, Math.floor(tasks * largestShare), true), fillOthers()]);
    }),
  );
  await db.query(rollupsSql);
  await fillEvents(db);
  await aggregateTaskCounts(db);
  await countOverdue(database);
  await db.query('VACUUM ANALYZE');
}

/** Rows that refer to others are made together with these. */
async function withoutChecks(db: Db, load: () => Promise<void>): Promise<void> {
  const tables = ['task_timeline', 'leases'];
  for (const table of tables) await db.query(`ALTER TABLE ${table} DISABLE TRIGGER ALL`);
  try {
    await load();
  } finally {
    for (const table of tables) await db.query(`ALTER TABLE ${table} ENABLE TRIGGER ALL`);
  }
}

async function countOverdue(database: Database): Promise<void> {
  const isDue = async () => {
    const at = await nextOverdueAt(database.db);
    return at !== null && at < database.clock.now();
  };
  while (await isDue()) await sweepEach(database, sweepOverdue);
}

const rollupsSql = `
  INSERT INTO analytics_daily_rollups (tenant_id, day, role, total, completed, in_progress, completion_ms, completion_count)
  SELECT tenant_id, (created_at AT TIME ZONE 'UTC')::date, role, count(*), count(completed_at),
    count(*) FILTER (WHERE status = 'in_progress'),
    coalesce(sum(extract(epoch FROM completed_at - first_claimed_at) * 1000), 0)::bigint,
    count(*) FILTER (WHERE completed_at IS NOT NULL AND first_claimed_at IS NOT NULL)
  FROM analytics_task_facts GROUP BY 1, 2, 3`;

const endpointsSql = `
  INSERT INTO endpoints (tenant_id, id, url, description, events, secret, status, created_at, updated_at)
  SELECT id, 'whk_' || id || n, 'http://127.0.0.1:9/' || n, 'Endpoint ' || n, '{task.*}', 'sealed', 'disabled', app_now(),
    app_now()
  FROM tenants, generate_series(1, 3) AS n`;

/** Of each task that is young enough: created, claimed and completed. */
const eventsSql = `
  INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
  SELECT tenant_id, 'evt_' || ulid_prefix(at) || k || substr(id, 16, 15), type, at, json_build_object('task_id', id)
  FROM tasks, (VALUES (0, 'task.created'), (1, 'task.assigned'), (2, 'task.completed')) AS e (k, type),
    LATERAL (SELECT created_at + k * interval '1 minute' AS at) AS moved
  WHERE tenant_id = $1 AND id > 'tsk_' || ulid_prefix(app_now() - interval '${eventDays} days')
    AND (k = 0 OR status = 'completed')`;

const numbersSql = `
  INSERT INTO event_numbers (tenant_id, number, event_id)
  SELECT tenant_id, row_number() OVER (PARTITION BY tenant_id ORDER BY event_id), event_id FROM events`;

const countersSql = `
  INSERT INTO event_counters (tenant_id, last_number) SELECT tenant_id, max(number) FROM event_numbers GROUP BY tenant_id
  ON CONFLICT (tenant_id) DO UPDATE SET last_number = excluded.last_number`;

/** One in a thousand is dead; the others were delivered at once. */
const deliveriesSql = `
  WITH settled AS (
    INSERT INTO deliveries (tenant_id, event_id, endpoint_id, id, status, attempts, created_at, settled_at, reason)
    SELECT e.tenant_id, e.event_id, w.id, 'dlv_' || substr(e.event_id, 5) || right(w.id, 1),
      CASE WHEN hashtext(e.event_id) % 1000 = 0 THEN 'dead' ELSE 'delivered' END, 1, e.occurred_at, e.occurred_at,
      CASE WHEN hashtext(e.event_id) % 1000 = 0 THEN 'tries_exhausted' END
    FROM events e JOIN endpoints w ON w.tenant_id = e.tenant_id
    WHERE e.event_id > 'evt_' || ulid_prefix(app_now() - interval '${deliveryDays} days')
    RETURNING *
  )
  INSERT INTO attempts (tenant_id, event_id, endpoint_id, number, started_at, duration_ms, status, outcome, url)
  SELECT tenant_id, event_id, endpoint_id, 1, created_at, 12, CASE status WHEN 'dead' THEN 500 ELSE 200 END,
    CASE status WHEN 'dead' THEN 'http_5xx' ELSE 'delivered' END, 'http://127.0.0.1:9/'
  FROM settled`;

async function fillEvents(db: Db): Promise<void> {
  for (let month = 0; month <= 3; month += 1)
    await db.query(`SELECT create_event_partitions((app_now() - $1 * interval '1 month')::date)`, [month]);
  await db.query(endpointsSql);
  for (const { id } of await db.query<{ id: string }>('SELECT id FROM tenants ORDER BY id'))
    await db.query(eventsSql, [id]);
  for (const sql of [numbersSql, countersSql, deliveriesSql]) await db.query(sql);
}
