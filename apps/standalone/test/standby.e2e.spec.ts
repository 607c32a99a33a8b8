// What Postgres says of standbys, replication slots and prepared transactions: the server of other tests has none.
import { randomBytes } from 'node:crypto';
import { type Database, openDatabase, readReplication, readServerState } from '@eas/db';
import { eventually, silentLogger } from '@eas/testing';
import { leftOut } from '@eas/testing/programs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runFromTerminal } from '../src/commands/command.fixture.ts';
import { findMatchingServer, type OtherServer, startMatchingServer } from './postgres-programs.ts';

const program = findMatchingServer();
const notRun = leftOut('a Postgres server', program !== undefined);
let server: OtherServer;
let database: Database;

beforeAll(async () => {
  if (notRun) return;
  if (!program) throw new Error('a Postgres server is not installed; .ci/run installs it.');
  server = await startMatchingServer(program, ['-c', 'max_prepared_transactions=5', '-c', 'wal_level=logical']);
  await server.query('postgres', 'CREATE DATABASE eas');
  const databaseUrl = server.url('eas');
  await runFromTerminal(['db:migrate'], { databaseUrl, encryptionKeys: [randomBytes(32).toString('base64')] });
  database = await openDatabase({ url: databaseUrl, poolSize: 2, applicationName: 'watch', logger: silentLogger });
});
afterAll(async () => {
  await database?.close();
  server?.stop();
});

const writeMegabytes = (count: number) =>
  server.query(
    'eas',
    `CREATE TABLE IF NOT EXISTS filler (text text);
     INSERT INTO filler SELECT repeat(md5(n::text), 32) FROM generate_series(1, ${count * 1_024}) AS n`,
  );

(notRun ? describe.skip : describe)(`the state of a server with a standby${notRun}`, () => {
  it('has its lag, and the WAL that its slot retains when it is gone', async () => {
    expect(await readReplication(database.db)).toEqual({
      standbys: { count: 0, lagBytes: 0, lagSeconds: 0 },
      slotBytes: { active: 0, inactive: 0 },
    });
    const standby = await server.startStandby('standby_1');
    const standbys = async () => (await readReplication(database.db)).standbys;
    await eventually(async () => (await standbys())?.count === 1 && (await standbys())?.lagBytes === 0);

    await standby.query('postgres', 'SELECT pg_wal_replay_pause()');
    await writeMegabytes(8);
    await eventually(async () => ((await standbys())?.lagBytes ?? 0) > 8_000_000);
    await standby.query('postgres', 'SELECT pg_wal_replay_resume()');
    await eventually(async () => ((await standbys())?.lagSeconds ?? 0) > 0);
    await eventually(async () => (await standbys())?.lagBytes === 0);

    await standby.stop();
    await eventually(async () => (await standbys())?.count === 0);
    await writeMegabytes(8);
    const { slotBytes } = await readReplication(database.db);
    expect(slotBytes.inactive).toBeGreaterThan(8_000_000);
    expect(slotBytes.active).toBe(0);
    await server.query('eas', `SELECT pg_drop_replication_slot('standby_1')`);
  });

  it('has what a slot of a subscriber holds back that is not there', async () => {
    await server.query('eas', `SELECT pg_create_logical_replication_slot('subscriber', 'pgoutput')`);
    for (let n = 0; n < 10; n += 1) await server.query('eas', 'SELECT pg_current_xact_id()');
    expect((await readServerState(database.db)).heldBack.slot).toBeGreaterThanOrEqual(10);
    await server.query('eas', `SELECT pg_drop_replication_slot('subscriber')`);
    expect((await readServerState(database.db)).heldBack.slot).toBe(0);
  });

  it('has the age of a prepared transaction, and what it holds back', async () => {
    await server.query('eas', `BEGIN; CREATE TABLE later (n int); PREPARE TRANSACTION 'forgotten'`);
    for (let n = 0; n < 10; n += 1) await server.query('eas', 'SELECT pg_current_xact_id()');
    await eventually(async () => (await readServerState(database.db)).oldestSeconds.prepared > 0.5);
    expect((await readServerState(database.db)).heldBack.prepared).toBeGreaterThanOrEqual(10);
    await server.query('eas', `ROLLBACK PREPARED 'forgotten'`);
    const { oldestSeconds, heldBack } = await readServerState(database.db);
    expect([oldestSeconds.prepared, heldBack.prepared]).toEqual([0, 0]);
  });
});
