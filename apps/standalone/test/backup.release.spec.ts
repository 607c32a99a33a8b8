import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startWebhookSink, type WebhookSink } from '@eas/testing';
import { leftOut } from '@eas/testing/programs';
import { ownRedisDatabase, queueBackEnd } from '@eas/testing/queue-back-end';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { examineWithDoctor, levelsOf, runFromTerminal } from '../src/commands/command.fixture.ts';
import { claimFor, createPatientClient } from './patient-client.ts';
import { findMatchingServer, type OtherServer, startMatchingServer } from './postgres-programs.ts';
import { startSystem, type System } from './system.ts';
import type { Sent } from './verified.ts';

const program = findMatchingServer();
const notRun = leftOut('a Postgres server', program !== undefined);
const encryptionKeys = [randomBytes(32).toString('base64')];
const apiKey = `test-${randomBytes(24).toString('hex')}`;
const folder = mkdtempSync(join(tmpdir(), 'eas-dump-'));
const file = join(folder, 'eas.dump');

let server: OtherServer;
let sink: WebhookSink;
let system: System | undefined;
const run = (database: string, ...line: string[]) =>
  runFromTerminal(line, { databaseUrl: server.url(database), encryptionKeys });
const start = async (database: string, redisUrl: string | undefined) => {
  const ENCRYPTION_KEY = encryptionKeys.join(',');
  system = await startSystem({
    DATABASE_URL: server.url(database),
    REDIS_URL: redisUrl,
    ENCRYPTION_KEY,
    BOOTSTRAP_API_KEY: apiKey,
  });
};
async function call(method: string, path: string, body?: object) {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const response = await fetch(`${system?.baseUrl}${path}`, { method, headers, body: body && JSON.stringify(body) });
  const text = await response.text();
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- responses are walked freely, as a client would
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as any };
}
const createTask = async (title: string) =>
  (await call('POST', '/v1/tasks', { title, description: 'd', assigned_role: 'rd' })).body.id as string;
const recorded = (database: string) =>
  server.rows(
    database,
    `SELECT tool, bytes::int, taken_at BETWEEN now() - interval '10 minutes' AND now() AS "isRecent" FROM backups ORDER BY 1`,
  );
/** The webhook of that task and type. */
const received = (type: string, taskId: string) =>
  sink.waitFor(({ body }) => {
    const sent = JSON.parse(body.toString()) as Sent;
    return sent.event_type === type && sent.data['task_id'] === taskId;
  });
async function claim(): Promise<{ taskId: string; leaseId: string; token: number }> {
  const { data } = (await call('GET', '/v1/agents?role=rd')).body;
  const body = await claimFor(createPatientClient({ baseUrls: [system?.baseUrl ?? ''], apiKey }), data[0].id);
  return { taskId: body.task.id, leaseId: body.lease.lease_id, token: body.lease.fencing_token };
}

beforeAll(async () => {
  if (notRun) return;
  if (!program) throw new Error('a Postgres server is not installed; .ci/run installs it.');
  server = await startMatchingServer(program);
  sink = await startWebhookSink();
  await server.query('postgres', 'CREATE DATABASE eas');
  await server.query('postgres', 'CREATE DATABASE restored');
});
afterAll(async () => {
  await system?.stop();
  await sink?.close();
  server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

(notRun ? describe.skip : describe)(`a backup, with queues on ${queueBackEnd.kind}${notRun}`, () => {
  it('is made while the system works, restored into an empty database, and the system goes on from there', async () => {
    await start('eas', ownRedisDatabase(10));
    await call('POST', '/v1/webhooks', {
      url: `${sink.url}/hook`,
      events: ['task.*'],
      secret: 'a secret of some length',
    });
    const tasks = [await createTask('one'), await createTask('another')];
    const first = await claim();
    const done = first.taskId;
    const [open = ''] = tasks.filter((id) => id !== done);
    expect(tasks).toContain(done);
    await call('POST', `/v1/leases/${first.leaseId}/complete`, { fencing_token: first.token, summary: 'ok' });
    await received('task.completed', done);

    expect(await run('eas', 'backup', file)).toMatchObject({
      code: 0,
      out: expect.stringContaining('keep ENCRYPTION_KEY'),
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await recorded('eas')).toEqual([{ tool: 'pg_dump', bytes: statSync(file).size, isRecent: true }]);
    expect(await run('eas', 'backup', file)).toMatchObject({ code: 1, err: `${file} already exists.\n` });
    await system?.stop();

    expect((await run('restored', 'restore', file)).err).toContain('Add --yes to confirm.');
    for (const jobs of ['0', '65', 'x'])
      expect((await run('restored', 'restore', file, '--jobs', jobs, '--yes')).err).toContain('jobs');
    expect((await run('eas', 'restore', file, '--yes')).err).toContain('is not empty');
    expect(await run('restored', 'restore', file, '--yes')).toMatchObject({ code: 0, err: '' });
    // It knows the backups that had ended when this one began.
    expect(await recorded('restored')).toEqual([]);
    await start('restored', ownRedisDatabase(11));
    expect((await call('GET', `/v1/tasks/${done}`)).body.status).toBe('completed');
    const second = await claim();
    expect(second.taskId).toBe(open);
    await call('POST', `/v1/leases/${second.leaseId}/complete`, { fencing_token: second.token, summary: 'ok' });
    await received('task.completed', open);
    await received('task.created', await createTask('made after'));
    const { findings } = await examineWithDoctor({ databaseUrl: server.url('restored'), encryptionKeys });
    expect(levelsOf(findings)).toMatchObject({ migrations: 'ok', partitions: 'ok', 'encryption key': 'ok' });
  });

  it('is also written by the nightly service of Docker Compose, which keeps the newest ones', async () => {
    const nightly = mkdtempSync(join(folder, 'nightly-'));
    const { hostname, port, username } = new URL(server.url('eas'));
    const env = { PGHOST: hostname, PGPORT: port, PGUSER: username, PGDATABASE: 'eas' };
    const script = join(import.meta.dirname, '../../../deploy/container/nightly-backup.sh');
    const backUp = (more = {}, command = 'now') =>
      spawnSync(script, [command], {
        env: {
          PATH: `${dirname(program ?? '')}:/usr/bin:/bin`,
          BACKUP_FOLDER: nightly,
          BACKUP_KEEP: '2',
          ...env,
          ...more,
        },
        encoding: 'utf8',
      });
    for (const day of [1, 2, 3]) writeFileSync(join(nightly, `eas-2026-01-0${day}T020000.dump`), '');
    expect(backUp()).toMatchObject({ status: 0, stderr: '' });
    const [newest = '', ...others] = readdirSync(nightly).sort().reverse();
    expect(others).toEqual(['eas-2026-01-03T020000.dump']);
    expect(statSync(join(nightly, newest)).mode & 0o777).toBe(0o600);
    expect(await recorded('eas')).toContainEqual({
      tool: 'nightly',
      bytes: statSync(join(nightly, newest)).size,
      isRecent: true,
    });
    expect(backUp({ PGDATABASE: 'none' })).toMatchObject({ status: 1, stderr: expect.stringContaining('no backup') });
    expect(readdirSync(nightly)).toHaveLength(2);
    const drill = () => backUp({}, 'drill');
    expect(drill()).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^restored .+ in \d+ s: \d+ tasks, the last event at 20/),
    });
    writeFileSync(join(nightly, 'eas-2100-01-01T020000.dump'), 'no backup');
    expect(drill()).toMatchObject({ status: 1, stderr: expect.stringContaining('pg_restore: error') });
    rmSync(join(nightly, 'eas-2100-01-01T020000.dump'));
    expect(backUp({}, 'restore')).toMatchObject({ status: 2, stderr: expect.stringContaining('not restore') });
    expect(await server.rows('postgres', `SELECT datname FROM pg_database WHERE datname = 'eas_drill'`)).toEqual([]);
    await server.query('postgres', 'CREATE DATABASE nightly');
    const atOnce = ['--jobs', '3', '--yes'];
    expect(await run('nightly', 'restore', join(nightly, newest), ...atOnce)).toMatchObject({ code: 0, err: '' });
    expect((await recorded('nightly')).map(({ tool }) => tool)).toEqual(['pg_dump']);
  });

  it('is good although the database cannot record it, as one of an earlier release', async () => {
    await server.query('postgres', 'CREATE DATABASE earlier TEMPLATE nightly');
    await server.query('earlier', 'DROP TABLE backups');
    const good = join(folder, 'earlier.dump');
    const { code, out } = await run('earlier', 'backup', good);
    expect([code, out]).toEqual([0, expect.stringContaining('not recorded: run npm run db:migrate')]);
    expect(statSync(good).size).toBeGreaterThan(10_000);
  });

  it('is refused with another key, and changes nothing of a database that it cannot be restored into', async () => {
    await server.query('postgres', 'CREATE DATABASE other');
    const wrong = { databaseUrl: server.url('other'), encryptionKeys: [randomBytes(32).toString('base64')] };
    const { code, err } = await runFromTerminal(['restore', file, '--yes'], wrong);
    expect([code, err]).toEqual([1, expect.stringContaining('is not the key of the data')]);
    await server.query('postgres', 'CREATE DATABASE broken');
    const broken = await run('broken', 'restore', join(import.meta.dirname, 'system.ts'), '--yes');
    expect([broken.code, broken.err]).toEqual([1, expect.stringMatching(/^pg_restore failed: /)]);
    const part = await run('broken', 'restore', join(import.meta.dirname, 'system.ts'), '--jobs', '2', '--yes');
    expect([part.code, part.err]).toEqual([1, expect.stringContaining('drop and create it again')]);
    expect(await run('none', 'backup', join(folder, 'none.dump'))).toMatchObject({ code: 1, out: '' });
    expect(existsSync(join(folder, 'none.dump'))).toBe(false);
  });
});
