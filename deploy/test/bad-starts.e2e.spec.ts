// An app that cannot work says why in one line that names the setting, and ends with an exit code that is not 0.
import { randomBytes } from 'node:crypto';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type EmptyDatabase, emptyDatabase, eventually, someOf, useTestDatabase } from '@eas/testing';
import { findFreePort } from '@eas/testing/redis-server';
import { type Env, launchApp, responds } from './launch-app.ts';
import { appNames } from '../container/programs.ts';

const test = useTestDatabase();
const workers = ['workflow-orchestrator', 'webhook-dispatcher', 'analytics-aggregator'];
const encryptionKey = randomBytes(32).toString('base64');
/** Nothing listens on it. */
const deadPort = 1;

let blank: EmptyDatabase;
const running: ChildProcess[] = [];

beforeAll(async () => {
  blank = await emptyDatabase();
});
afterEach(() => running.splice(0).forEach((child) => child.kill('SIGKILL')));
afterAll(() => blank.drop());

/** A whole set of settings, on free ports, with some changed or left out. */
async function settings(changes: Env = {}): Promise<Env> {
  const [port, receiverPort, healthPort] = await Promise.all([findFreePort(), findFreePort(), findFreePort()]);
  return {
    PATH: process.env['PATH'],
    DATABASE_URL: test.url,
    ENCRYPTION_KEY: encryptionKey,
    PORT: String(port),
    RECEIVER_PORT: String(receiverPort),
    HEALTH_PORT: String(healthPort),
    LOG_LEVEL: 'warn',
    ...changes,
  };
}

function launch(app: string, env: Env, stdout: 'pipe' | number = 'pipe') {
  const launched = launchApp(app, env, stdout);
  running.push(launched.child);
  return launched;
}

type Ended = { code: number | null; errors: string[] };

/** Ends by itself; the lines are errors, warnings of reconnecting left out. Those of the log are cut to their message. */
async function runToEnd(app: string, changes: Env): Promise<Ended> {
  const { output, closed } = launch(app, await settings(changes));
  const [code] = await closed;
  const lines = output().split('\n').filter(Boolean).map(read);
  return { code, errors: lines.filter(({ level }) => level === 'error').map(({ text }) => text) };
}

function read(line: string): { level: string; text: string } {
  if (!line.startsWith('{')) return { level: 'error', text: line };
  const { level, msg, err } = JSON.parse(line) as { level: string; msg: string; err?: { message: string } };
  return { level, text: `${msg}: ${err?.message ?? ''}` };
}

const refusal = (pattern: RegExp): Ended => ({
  code: 1,
  errors: [expect.stringMatching(pattern) as unknown as string],
});

/** Every app on its own, all at once: [app, how it ended]. */
const allEnd = (apps: readonly string[], changes: Env) =>
  Promise.all(apps.map(async (app) => [app, await runToEnd(app, changes)] as const));
const allRefuse = (apps: readonly string[], pattern: RegExp) => apps.map((app) => [app, refusal(pattern)]);

describe('every app', () => {
  it('names each setting that is missing', async () => {
    const missing =
      /^[\w-]+: Invalid settings: DATABASE_URL \(expected a value: .*\), ENCRYPTION_KEY \(expected a value: .*\)\.$/;
    expect(await allEnd(appNames, { DATABASE_URL: undefined, ENCRYPTION_KEY: '' })).toEqual(
      allRefuse(appNames, missing),
    );
  });

  it('names a setting that is wrong, without its value', async () => {
    const apps = someOf(appNames, 1);
    const ended = await allEnd(apps, { ENCRYPTION_KEY: 'hunter2' });
    const wrong = /^[\w-]+: Invalid setting: ENCRYPTION_KEY \(expected 32 bytes in base64/;
    expect(ended).toEqual(allRefuse(apps, wrong));
    expect(JSON.stringify(ended)).not.toContain('hunter2');
  });

  it('names a Postgres that cannot be reached, without its password', async () => {
    const apps = someOf(appNames, 1);
    const ended = await allEnd(apps, { DATABASE_URL: `postgresql://eas:hunter2@127.0.0.1:${deadPort}/eas` });
    const unreachable =
      /Postgres at \S+:1\/eas \(DATABASE_URL\) cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1\.$/;
    expect(ended).toEqual(allRefuse(apps, unreachable));
    expect(JSON.stringify(ended)).not.toContain('hunter2');
  });

  it('names a direct address of Postgres that cannot be reached', async () => {
    const apps = someOf(appNames, 1);
    const ended = await allEnd(apps, { DATABASE_DIRECT_URL: `postgresql://eas@127.0.0.1:${deadPort}/eas` });
    const unreachable = /Postgres at \S+:1\/eas \(DATABASE_DIRECT_URL\) cannot be used: connect ECONNREFUSED/;
    expect(ended).toEqual(allRefuse(apps, unreachable));
  });

  it('names a database that is not migrated', async () => {
    const apps = someOf(appNames, 1);
    const behind = /\(DATABASE_URL\) is not migrated\. Run npm run db:migrate\.$/;
    expect(await allEnd(apps, { DATABASE_URL: blank.url })).toEqual(allRefuse(apps, behind));
  });

  it('names a database that is read-only', async () => {
    const apps = someOf(appNames, 1);
    const url = new URL(test.url);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const ended = await allEnd(apps, { DATABASE_URL: url.toString() });
    expect(ended).toEqual(allRefuse(apps, /at postgresql:\S+ \(DATABASE_URL\) cannot be used: .*read-only/));
  });

  it('names the key of other data', async () => {
    const apps = someOf(appNames, 1);
    await test.database.db.query('DELETE FROM encryption_canaries');
    await test.database.db.query(
      `INSERT INTO encryption_canaries (key_id, sealed) VALUES ('0badf00d', 'v1.0badf00d.x')`,
    );
    const ended = await allEnd(apps, {});
    await test.database.db.query('DELETE FROM encryption_canaries');
    const wrongKey = /ENCRYPTION_KEY is not the key of the data in this database, .*0badf00d/;
    expect(ended).toEqual(allRefuse(apps, wrongKey));
  });

  it('names the port that another program has', async () => {
    const apps = someOf(appNames, 1);
    const holder = createServer();
    await new Promise<void>((listening) => holder.listen(0, '127.0.0.1', listening));
    const { port } = holder.address() as AddressInfo;
    const ended = await allEnd(apps, { HEALTH_PORT: String(port) });
    holder.close();
    const taken = new RegExp(
      `The health port at http://127\\.0\\.0\\.1:${port}/ \\(HEALTH_PORT\\) cannot be used: .*EADDRINUSE`,
    );
    expect(ended).toEqual(allRefuse(apps, taken));
  });

  it('works on when its log cannot be written, as on a full disk', async () => {
    const apps = someOf(appNames, 1);
    const full = openSync('/dev/full', 'w');
    const exits = apps.map(async (app) => {
      const env = await settings({ LOG_LEVEL: 'info' });
      const { child, closed } = launch(app, env, full);
      await eventually(responds(env['HEALTH_PORT'], '/readyz'));
      child.kill('SIGTERM');
      return [app, await closed];
    });
    expect(await Promise.all(exits)).toEqual(apps.map((app) => [app, [0, null]]));
    closeSync(full);
  });
});

describe('the apps that work on queues', () => {
  it('name a Redis that cannot be reached, without its password', async () => {
    const apps = someOf(workers, 1);
    const ended = await allEnd(apps, { REDIS_URL: `redis://:hunter2@127.0.0.1:${deadPort}` });
    expect(ended).toEqual(allRefuse(apps, /Redis at \S+:1 \(REDIS_URL\) cannot be used: /));
    expect(JSON.stringify(ended)).not.toContain('hunter2');
  });
});

describe('the gateway', () => {
  it('serves without Redis: each process counts requests itself until it is back', async () => {
    const env = await settings({ REDIS_URL: `redis://127.0.0.1:${deadPort}` });
    const { child, closed } = launch('api-gateway', env);
    await eventually(responds(env['PORT'], '/readyz'));
    child.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
  });
});
