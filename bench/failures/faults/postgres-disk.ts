import { execFileSync } from 'node:child_process';
import { chownSync, closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Stores } from '../../harness/stores.ts';
import type { Fault } from './fault.ts';

const sizeMb = 256;
const diskFull = '53100';
/** Statements of the queues hold the tables that are moved only for moments. */
const lockTimeout = '5s';

/**
 * The tables of the queues move to a tablespace on a small disk, which is then filled. (A full disk under the rest of
 * Postgres ends the server as soon as the log of transactions needs space: that is the fault of a Postgres that is away.)
 */
export const fullQueueDisk: Fault = {
  name: 'the disk of the queues on Postgres is full',
  backends: ['postgres'],
  maxSeconds: 30,
  obstacle: () => (process.getuid?.() === 0 ? undefined : 'only root can mount a small disk'),
  async strike({ bench: { stores } }, seconds) {
    const disk = mountSmallDisk(stores);
    const client = new pg.Client({ connectionString: stores.databaseUrl, application_name: 'bench' });
    await client.connect();
    try {
      await client.query(`SET lock_timeout = '${lockTimeout}'`);
      await client.query(`CREATE TABLESPACE small_disk LOCATION '${disk}'`);
      await moveQueues(client, 'small_disk');
      fill(disk);
      await expectFull(client);
      await sleep(seconds * 1_000);
      rmSync(join(disk, 'filling'));
      await moveQueues(client, 'pg_default');
      // Files of tables that were moved away are kept until the next checkpoint.
      await client.query('CHECKPOINT');
      await client.query('DROP TABLESPACE small_disk');
    } finally {
      await client.end();
      execFileSync('umount', ['--lazy', disk]);
      rmdirSync(disk);
    }
  },
};

function mountSmallDisk({ pids }: Stores): string {
  if (!pids['postgres']) throw new Error('DATABASE_URL names the Postgres: its tables cannot be moved to another disk');
  const disk = mkdtempSync(join(tmpdir(), 'eas-small-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'tmpfs', disk]);
  const { uid, gid } = statSync(`/proc/${pids['postgres']}`);
  chownSync(disk, uid, gid);
  return disk;
}

const queueTablesSql = `
  SELECT format('%I.%I', n.nspname, c.relname) AS name, c.relkind AS kind
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'queue' AND c.relkind IN ('r', 'i') ORDER BY c.relname`;

async function moveQueues(client: pg.Client, tablespace: string): Promise<void> {
  const { rows } = await client.query<{ name: string; kind: 'r' | 'i' }>(queueTablesSql);
  if (rows.length === 0) throw new Error('there are no tables of queues');
  for (const { name, kind } of rows)
    await client.query(`ALTER ${kind === 'r' ? 'TABLE' : 'INDEX'} ${name} SET TABLESPACE ${tablespace}`);
}

function fill(disk: string): void {
  const file = openSync(join(disk, 'filling'), 'w');
  try {
    for (const bytes of [1_048_576, 4_096]) {
      for (const block = Buffer.alloc(bytes); writeSync(file, block) === block.length;);
    }
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}

async function expectFull(client: pg.Client): Promise<void> {
  await client.query('CREATE TABLE queue.probe (number int) TABLESPACE small_disk');
  const sql = 'INSERT INTO queue.probe SELECT * FROM generate_series(1, 100000)';
  const refusal = await client.query(sql).then(
    () => 'nothing',
    (error: { code?: string }) => error.code,
  );
  await client.query('DROP TABLE queue.probe');
  if (refusal !== diskFull) throw new Error(`the disk is not full: Postgres refused ${refusal}`);
}
