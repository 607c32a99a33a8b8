// A request that does not end takes its part of the drain and no more: what follows is still written.
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { eventually, startTraceCollector, type TraceCollector, useTestDatabase } from '@eas/testing';
import { findFreePort } from '@eas/testing/redis-server';
import { launchApp, type LaunchedApp, responds } from './launch-app.ts';

const test = useTestDatabase();
const encryptionKey = randomBytes(32).toString('base64');
const apiKey = `stuck-${randomBytes(24).toString('hex')}`;

let collector: TraceCollector;
let blocker: pg.Client;
let app: LaunchedApp | undefined;

beforeEach(async () => {
  collector = await startTraceCollector();
  blocker = new pg.Client({ connectionString: test.url });
  await blocker.connect();
});
afterEach(async () => {
  app?.child.kill('SIGKILL');
  await app?.closed;
  await blocker.end();
  await collector.close();
});

const stuck = [
  { name: 'api-gateway', path: '/v1/tasks', table: 'tasks', body: { title: 'stuck', description: 'stuck' } },
  {
    name: 'webhook-receiver',
    path: '/webhook/taskplatform',
    table: 'inbound_events',
    body: { event: 'taskCreated', task_id: 't1', webhook_id: 'w1' },
  },
];

/** Nothing ends a statement sooner than `statement_timeout`, which is longer than the app has to stop. */
const stallSql = (table: string) => `
  CREATE FUNCTION stall_${table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$;
  CREATE TRIGGER stall BEFORE INSERT ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION stall_${table}()`;

const isStalled = async (): Promise<boolean> => {
  const { rowCount } = await blocker.query(
    `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`,
  );
  return rowCount === 1;
};

describe('an app that is stopped while a request hangs in Postgres', () => {
  it.each(stuck)('ends in time, $name, and sends its last traces first', async ({ name, path, table, body }) => {
    const [port, healthPort] = await Promise.all([findFreePort(), findFreePort()]);
    app = launchApp(name, {
      PATH: process.env['PATH'],
      DATABASE_URL: test.url,
      ENCRYPTION_KEY: encryptionKey,
      BOOTSTRAP_API_KEY: apiKey,
      PORT: String(port),
      RECEIVER_PORT: String(port),
      HEALTH_PORT: String(healthPort),
      RECEIVER_ALLOW_UNSIGNED: 'true',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      SHUTDOWN_SECONDS: '6',
      SHUTDOWN_DELAY_SECONDS: '0',
      LOG_LEVEL: 'warn',
    });
    await eventually(responds(String(healthPort), '/readyz'));
    await blocker.query(stallSql(table));
    const request = fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(() => 'cut');
    await eventually(isStalled);
    app.child.kill('SIGTERM');
    expect(await app.closed).toEqual([0, null]);
    expect(await request).toBe('cut');
    expect(app.output()).not.toContain('shutdown step');
    expect(app.output()).not.toContain('spans not');
    expect(collector.spans.map((span) => span.name)).toContainEqual(expect.stringContaining(path));
  });
});
