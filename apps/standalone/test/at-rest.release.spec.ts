import { eventually, useTestDatabase } from '@eas/testing';
import { ownRedisDatabase } from '@eas/testing/queue-back-end';
import { defaultTenantId } from '@eas/contracts';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { startSystem, type System } from './system.ts';

let system: System;
let reader: pg.Client;
// Before the database goes.
afterAll(async () => {
  await system?.stop();
  await reader?.end();
});
const test = useTestDatabase();
const rowsPerTable = 20_000;
/** Of all statements together in the time of the test, of one table. */
const mostRead = 500;

const later = `now() + interval '1 day'`;
/** Rows without anything due: values for some columns; the others get defaults of their types. */
const resting: Record<string, Record<string, string>> = {
  agents: { presence: `'offline'`, last_seen_at: `now() - interval '1 day'` },
  api_keys: {},
  analytics_overdue_marks: { tenant_id: `'tnt_' || n`, next_due_at: later },
  attempts: { event_id: eventId() },
  audit_log: {},
  chat_channels: { wake_at: later },
  chat_clicks: {},
  chat_messages: {
    state: `CASE WHEN n % 2 = 0 THEN 'pending' ELSE 'posted' END`,
    next_attempt_at: `CASE WHEN n % 2 = 0 THEN ${later} END`,
    settled_at: `CASE WHEN n % 2 = 1 THEN now() END`,
  },
  deliveries: {
    event_id: eventId(),
    endpoint_id: `'whk_' || n % 10000`,
    status: `CASE n % 3 WHEN 0 THEN 'pending' WHEN 1 THEN 'delivered' ELSE 'dead' END`,
    next_attempt_at: `CASE WHEN n % 3 = 0 THEN ${later} END`,
  },
  endpoints: {
    status: `CASE WHEN n % 2 = 0 THEN 'paused' ELSE 'active' END`,
    probe_at: `CASE WHEN n % 2 = 0 THEN ${later} END`,
  },
  event_numbers: { event_id: eventId() },
  events: { event_id: eventId(), event_type: `'task.created'` },
  idempotency_records: {},
  inbound_events: { status: `'applied'`, settled_at: 'now()', body: `'{}'` },
  inputs: { status: `'pending'`, kind: `'question'`, expires_at: later },
  integrations: { type: `'github'`, status: `'active'` },
  leases: { expires_at: later, ended_at: 'NULL' },
  oauth_records: { kind: `'access_token'`, expires_at: later },
  outbox: { consumer: `'event.fan_out'`, event_id: eventId(), available_at: `now() + interval '5 minutes'` },
  platform_apis: { due_at: later },
  platform_calls: {
    kind: `'task'`,
    state: `CASE WHEN n % 2 = 0 THEN 'waiting' ELSE 'done' END`,
    due_at: `CASE WHEN n % 2 = 0 THEN ${later} END`,
    finished_at: `CASE WHEN n % 2 = 1 THEN now() END`,
  },
  platform_objects: {},
  platform_reconciles: { status: `'completed'`, finished_at: 'now()' },
  pull_request_stages: {},
  pull_requests: {},
  rate_windows: { expire: `(extract(epoch FROM ${later}) * 1000)::bigint` },
  run_steps: { status: `'in_progress'`, due_at: later },
  sessions: { expires_at: later },
  step_durations: { finished_at: `now() - interval '1 day' - n * interval '1 second'` },
  task_alarms: { at: later },
  task_durations: { completed_at: `now() - interval '1 day' - n * interval '1 second'` },
  task_labels: {},
  task_timeline: { at: `now()` },
  tenant_loads: { tenant_id: `'tnt_' || n`, at: later },
  tenant_usage: { tenant_id: `'tnt_' || n`, month: `'2020-01-01'`, closed_at: 'now()' },
  tasks: { status: `'open'` },
  workflow_runs: { status: `'started'` },
};

function eventId(): string {
  return `'evt_' || ulid_prefix(now() - n * interval '1 second') || lpad(n::text, 16, '0')`;
}

const columnsSql = `
  SELECT column_name AS name, udt_name AS type FROM information_schema.columns
  WHERE table_schema = 'public' AND table_name = $1 AND is_nullable = 'NO' AND column_default IS NULL`;

/** For columns that must have a value, by their type. */
const valueOf: Record<string, string> = {
  text: `'x' || n`,
  varchar: `'x' || n`,
  timestamptz: 'now()',
  int4: 'n',
  int8: 'n',
  bool: 'false',
  json: `'{}'`,
  jsonb: `'{}'`,
  _text: `'{}'`,
  bytea: `decode(md5(n::text), 'hex')`,
};

async function fill(client: pg.Client, table: string, given: Record<string, string>): Promise<void> {
  const { rows } = await client.query<{ name: string; type: string }>(columnsSql, [table]);
  const needed = rows.map(({ name, type }) => [name, name === 'tenant_id' ? `'${defaultTenantId}'` : valueOf[type]]);
  const values = { ...Object.fromEntries(needed), ...given } as Record<string, string>;
  const names = Object.keys(values).map((name) => `"${name}"`);
  await client.query(
    `INSERT INTO ${table} (${names.join(', ')}) SELECT ${Object.values(values).join(', ')} FROM generate_series(1, ${rowsPerTable}) AS n`,
  );
}

const readSql = `
  SELECT regexp_replace(relname, '_(default|\\d{4}_?\\d{2})$', '') AS table,
    sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read
  FROM pg_stat_user_tables WHERE schemaname = 'public' GROUP BY 1`;

async function readByTable(): Promise<Record<string, number>> {
  const { rows } = await reader.query<{ table: string; read: number }>(readSql);
  return Object.fromEntries(rows.map(({ table, read }) => [table, read]));
}

/** The deliveries of the month are counted, and the storage of today is known. */
const measuredSql = `
  INSERT INTO tenant_usage (tenant_id, month, storage_on)
  SELECT '${defaultTenantId}', date_trunc('month', now() AT TIME ZONE 'UTC'), (now() AT TIME ZONE 'UTC')::date;
  INSERT INTO tenant_usage_counts (tenant_id, month, source, pass, position, counted, delivered, attempts)
  SELECT '${defaultTenantId}', date_trunc('month', now() AT TIME ZONE 'UTC'), 'deliveries', 1, 'evt_z', 20000, 0, 0`;

beforeAll(async () => {
  reader = new pg.Client({ connectionString: test.url });
  await reader.connect();
  // Keys and counts do not matter here.
  await reader.query('SET session_replication_role = replica');
  for (const [table, given] of Object.entries(resting)) await fill(reader, table, given);
  await reader.query(measuredSql);
  await reader.query('RESET session_replication_role');
  await reader.query('VACUUM ANALYZE');
});
it('a system at rest reads no table whole, however much is in it of which nothing is due', async () => {
  const before = await readByTable();
  system = await startSystem({ DATABASE_URL: test.url, REDIS_URL: ownRedisDatabase(13), LEASE_SECONDS: '5' });
  const committed = async () => {
    const sql = 'SELECT xact_commit::int AS n FROM pg_stat_database WHERE datname = current_database()';
    return (await reader.query<{ n: number }>(sql)).rows[0]?.n ?? 0;
  };
  const atStart = await committed();
  // Every loop of every process has run by then, most of them many times.
  await eventually(async () => (await committed()) - atStart >= 300);
  const after = await readByTable();
  const read = Object.keys(resting).map((table) => [table, (after[table] ?? 0) - (before[table] ?? 0)] as const);
  expect(read.filter(([, rows]) => rows > mostRead)).toEqual([]);
});
