// Point-in-time recovery by pgBackRest, with the configuration that deploy/postgres has for it.
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { eventually } from '@eas/testing';
import { findOnPath, leftOut } from '@eas/testing/programs';
import { ownRedisDatabase } from '@eas/testing/queue-back-end';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { examineWithDoctor, levelsOf, runFromTerminal } from '../src/commands/command.fixture.ts';
import {
  findMatchingServer,
  killServer,
  openServerHome,
  type RunningServer,
  type ServerHome,
} from './postgres-programs.ts';
import { createPatientClient } from './patient-client.ts';
import { startSystem, type System } from './system.ts';

const program = findMatchingServer();
const pgbackrest = findOnPath('pgbackrest') ?? '';
const notRun = leftOut('a Postgres server', program !== undefined) || leftOut('pgbackrest', pgbackrest !== '');
const example = resolve(import.meta.dirname, '../../../deploy/postgres/pgbackrest.conf');
const encryptionKeys = [randomBytes(32).toString('base64')];
const apiKey = `test-${randomBytes(24).toString('hex')}`;

let home: ServerHome;
let server: RunningServer;
let system: System | undefined;

/** The example, with folders and the address of this server. */
function writeConfiguration({ folder }: ServerHome): string {
  const file = join(folder, 'pgbackrest.conf');
  const own = { 'repo1-path': join(folder, 'repo'), 'pg1-path': join(folder, 'data') };
  const moved = Object.entries(own).reduce(
    (text, [name, value]) => text.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`),
    readFileSync(example, 'utf8'),
  );
  const paths = `log-path=${folder}\nlock-path=${join(folder, 'lock')}\n`;
  const socket = `pg1-socket-path=${folder}\npg1-port=PORT\npg1-user=eas\n`;
  writeFileSync(file, `${moved.replace('[global]\n', `[global]\n${paths}`)}${socket}`);
  return file;
}

/** What the example tells Postgres. */
function flagsFor(file: string): string[] {
  const settings = readFileSync(example, 'utf8').matchAll(/^# {3}(\w+) = '?([^'\n]+)'?$/gm);
  const given = [...settings].map(
    ([, name, value]) => `${name}=${value?.replace('pgbackrest ', `pgbackrest --config=${file} `)}`,
  );
  return [...given, `unix_socket_directories=${home.folder}`].flatMap((one) => ['-c', one]);
}

const backrest = (file: string, command: string, ...args: string[]) =>
  home.run(pgbackrest, [`--config=${file}`, '--stanza=eas', ...args, command]);

async function startOn(data: string, file: string): Promise<RunningServer> {
  const running = await home.start(data, flagsFor(file));
  const text = readFileSync(file, 'utf8').replace(/^pg1-port=.*$/m, `pg1-port=${running.port}`);
  writeFileSync(file, text.replace(/^pg1-path=.*$/m, `pg1-path=${join(home.folder, data)}`));
  return running;
}

/** A system whose queues are empty. */
async function startService(redisNumber: number): Promise<void> {
  system = await startSystem({
    DATABASE_URL: server.url('eas'),
    REDIS_URL: ownRedisDatabase(redisNumber),
    ENCRYPTION_KEY: encryptionKeys.join(','),
    BOOTSTRAP_API_KEY: apiKey,
  });
}

const client = () => createPatientClient({ baseUrls: [system?.baseUrl ?? ''], apiKey });
const createTask = async (title: string) =>
  (await client().post('/v1/tasks', { title, description: 'd', assigned_role: 'rd' })).body.id as string;
const statusOf = async (id: string) => (await client().get(`/v1/tasks/${id}`)).status;

/** Replaces the server by what the repository has of it, into another folder. Returns how long that took. */
async function recover(file: string, data: string, ...target: string[]): Promise<number> {
  const begunMs = performance.now();
  backrest(file, 'restore', `--pg1-path=${join(home.folder, data)}`, ...target);
  server = await startOn(data, file);
  await eventually(async () => (await server.rows('eas', 'SELECT pg_is_in_recovery() AS is'))[0]?.['is'] === false);
  return performance.now() - begunMs;
}

beforeAll(async () => {
  if (notRun) return;
  if (!program) throw new Error('a Postgres server is not installed; .ci/run installs it.');
  home = openServerHome(program);
  home.init('data');
});
afterAll(async () => {
  await system?.stop();
  home?.remove();
});

(notRun ? describe.skip : describe)(`a database whose WAL is archived${notRun}`, () => {
  let kept = '';
  let late = '';
  let moment = '';
  let file = '';

  it('is lost with its machine', async () => {
    file = writeConfiguration(home);
    server = await startOn('data', file);
    backrest(file, 'stanza-create');
    await server.query('postgres', 'CREATE DATABASE eas');
    await runFromTerminal(['db:migrate'], { databaseUrl: server.url('eas'), encryptionKeys });
    await startService(14);
    backrest(file, 'backup', '--type=full');
    // It knows the end of a backup to the second.
    await server.query('eas', 'SELECT pg_sleep(1.1)');
    kept = await createTask('before the moment');
    moment = String((await server.rows('eas', 'SELECT clock_timestamp()::text AS at'))[0]?.['at']);
    late = await createTask('after it');
    await server.query('eas', 'SELECT pg_switch_wal()');
    const archived = `SELECT last_archived_wal IS NOT NULL AND pg_walfile_name(pg_current_wal_lsn()) > last_archived_wal
      AND failed_count = 0 AS is FROM pg_stat_archiver`;
    await eventually(async () => (await server.rows('eas', archived))[0]?.['is'] === true);
    backrest(file, 'check');
    await system?.stop();
    await killServer(server);
    rmSync(join(home.folder, 'data'), { recursive: true });
  });

  it('is recovered as it was at a moment, and the service goes on from there', async () => {
    const tookMs = await recover(file, 'then', '--type=time', `--target=${moment}`, '--target-action=promote');
    process.stdout.write(`[recovery] to a moment: ${Math.round(tookMs)} ms\n`);
    await startService(14);
    expect([await statusOf(kept), await statusOf(late)]).toEqual([200, 404]);
    expect(await statusOf(await createTask('made after the recovery'))).toBe(200);
    const { findings } = await examineWithDoctor({ databaseUrl: server.url('eas'), encryptionKeys });
    expect(levelsOf(findings)).toMatchObject({ migrations: 'ok', partitions: 'ok', 'encryption key': 'ok' });
    await system?.stop();
    await killServer(server);
  });

  it('is recovered with everything that was archived', async () => {
    await recover(file, 'newest', '--type=default', '--target-timeline=1');
    await startService(14);
    expect([await statusOf(kept), await statusOf(late)]).toEqual([200, 200]);
  });
});
