import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Db } from '@eas/db';
import { fillTenant } from '../../size/task-tenants.ts';
import { type Attack, hammer, type Target } from './attack.ts';

/** A client that hangs up early must cost no more than its request: the database must not go on. */
const patienceMs = 60;
const taskId = 'tsk_history';

const eventsSql = `
  WITH numbered AS (
    INSERT INTO event_numbers (tenant_id, number, event_id)
    SELECT $1, n, 'evt_' || ulid_prefix(app_now()) || lpad(n::text, 16, '0') FROM generate_series(1, $2::int) AS n
    RETURNING tenant_id, number, event_id
  ), counted AS (
    INSERT INTO event_counters (tenant_id, last_number) VALUES ($1, $2)
    ON CONFLICT (tenant_id) DO UPDATE SET last_number = excluded.last_number
  )
  INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
  SELECT tenant_id, event_id, 'task.created', app_now() - (number * 7919 % $2) * interval '1 second', '{}' FROM numbered`;

const historySql = `
  WITH task AS (
    INSERT INTO tasks (tenant_id, id, title, description, status, priority, created_at, updated_at, rank, timeline_seq)
    VALUES ($1, $3, 'A long history', '', 'created', 'low', app_now(), app_now(), app_now(), $2::int)
  )
  INSERT INTO task_timeline (tenant_id, task_id, seq, kind, at, actor, data)
  SELECT $1, $3, n, 'comment', app_now(), 'usr_' || n % 1000, '{"content": "one of many"}' FROM generate_series(1, $2::int) AS n`;

async function fill(db: Db, tenantId: string, share: number): Promise<void> {
  await fillTenant(db, tenantId, 200_000 * share);
  await db.query(eventsSql, [tenantId, 50_000 * share]);
  await db.query(historySql, [tenantId, 100_000 * share, taskId]);
}

const paths = [
  '/v1/events?limit=1&offset=9900&sort=timestamp',
  '/v1/tasks?limit=1&offset=10000&sort=status',
  '/v1/tasks?limit=1&offset=10000&sort=-assigned_agent',
  '/v1/tasks?limit=1&status=completed&priority=medium',
  `/v1/tasks/${taskId}/timeline?limit=1&offset=9999&sort=actor`,
  '/v1/tasks?limit=1&offset=190000&sort=status',
];

/** Deep pages and totals were as long as the list, and went on in the database when their clients had gone. */
export const deepReads: Attack = {
  name: 'deep-reads',
  about: 'deep pages and totals of 200,000 tasks, 50,000 events and a history of 100,000 entries, most of them aborted',
  allowed: [200, 400, 429, 503, 'aborted'],
  fill,
  run: (target) => hammer(target, 40, (number) => read(target, paths[number % paths.length] ?? '', number)),
};

async function read({ url, apiKeys, signal }: Target, path: string, number: number): Promise<{ status: number }> {
  const isPatient = number % 10 === 0;
  const ended = isPatient ? signal : AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  const headers = { 'x-api-key': apiKeys[number % apiKeys.length] ?? '' };
  try {
    const sent = request(url + path, { headers, signal: ended });
    sent.end();
    const [response] = (await once(sent, 'response', { signal: ended })) as [IncomingMessage];
    await once(response.resume(), 'end', { signal: ended });
    return { status: response.statusCode ?? 0 };
  } catch (error) {
    throw ended.aborted ? Object.assign(new Error('aborted'), { code: 'aborted' }) : error;
  }
}
