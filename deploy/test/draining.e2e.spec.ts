// A worker that ends still says on its health port that it drains, and gives its last metrics, until its work has ended.
import { randomBytes } from 'node:crypto';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Send } from '@eas/contracts';
import { openQueues } from '@eas/queue';
import { eventually, silentLogger, useTestDatabase } from '@eas/testing';
import { afterEach, expect, it } from '@jest/globals';
import { findFreePort } from '@eas/testing/redis-server';

const test = useTestDatabase();
const start = resolve(import.meta.dirname, '../container/start-app.ts');
const encryptionKey = randomBytes(32).toString('base64');
const running: ChildProcess[] = [];
const held: (() => Promise<void>)[] = [];
afterEach(async () => {
  running.splice(0).forEach((child) => child.kill('SIGKILL'));
  await Promise.all(held.splice(0).map((release) => release()));
});

/** Blocks the first statement of every consumer while a row exists; a lock would time out after 2 s. */
const stallSql = `
  CREATE TABLE IF NOT EXISTS stalls (n int);
  INSERT INTO stalls VALUES (1);
  CREATE OR REPLACE FUNCTION stall() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      WHILE EXISTS (SELECT FROM stalls) LOOP PERFORM pg_sleep(0.05); END LOOP;
      RETURN NULL;
    END $$;
  CREATE OR REPLACE TRIGGER stall BEFORE DELETE ON outbox FOR EACH STATEMENT EXECUTE FUNCTION stall()`;

/** Returns the function that releases it. */
async function holdOutbox(): Promise<() => Promise<void>> {
  const { db } = test.database;
  await db.query(stallSql, [], { isPrepared: false });
  const release = async () => void (await db.query('DELETE FROM stalls'));
  held.push(release);
  return release;
}

const stalledSql = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
const isStalled = async () => (await test.database.db.query(stalledSql)).length > 0;

const workers: [app: string, queue: string, job: 'inbound.apply' | 'event.fan_out' | 'facts.record'][] = [
  ['workflow-orchestrator', 'workflow', 'inbound.apply'],
  ['webhook-dispatcher', 'webhooks', 'event.fan_out'],
  ['analytics-aggregator', 'analytics', 'facts.record'],
];

it.each(workers)('%s responds 503 and gives its metrics until the job in hand has ended', async (app, queue, job) => {
  const port = await findFreePort();
  const health = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', start, app], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: test.url,
      ENCRYPTION_KEY: encryptionKey,
      HEALTH_PORT: String(port),
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.push(child);
  const closed = once(child, 'close');
  await eventually(() =>
    health('/readyz').then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  const release = await holdOutbox();
  const queues = await openQueues({ databaseUrl: test.url, redisUrl: undefined, logger: silentLogger });
  const payload = { tenant_id: test.context().tenantId, event_ids: ['evt_1'] };
  await queues.send([{ job, payload } as Send]);
  await eventually(async () => (await queues.depths())[queue]?.active === 1);
  // A job that was only fetched is given back by a process that ends.
  await eventually(isStalled);
  await queues.close();

  child.kill('SIGTERM');
  await eventually(async () => (await health('/readyz')).status === 503);
  expect(await (await health('/readyz')).json()).toEqual({ status: 'draining', checks: {} });
  expect(await (await health('/metrics')).text()).toContain('eas_ready{check="database"} 1');
  await release();
  expect(await closed).toEqual([0, null]);
});
