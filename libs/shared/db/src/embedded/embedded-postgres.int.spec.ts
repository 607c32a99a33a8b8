import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@eas/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EmbeddedPostgres, runningEmbeddedUrl, startEmbeddedPostgres } from './embedded-postgres.ts';

let dataDir: string;

async function ask<Row extends object>(server: EmbeddedPostgres, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: server.url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

describe('embedded Postgres', () => {
  const start = () => startEmbeddedPostgres({ dataDir, log: () => {} });

  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'eas-embedded-'));
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  it('is created with durable settings, and gone after stop', async () => {
    const server = await start();
    expect(server.isNew).toBe(true);
    const settings = await ask<{ name: string; setting: string }>(
      server,
      `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'server_encoding', 'TimeZone')`,
    );
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: 'on',
      synchronous_commit: 'on',
      server_encoding: 'UTF8',
      TimeZone: 'UTC',
    });
    await ask(server, 'CREATE TABLE kept AS SELECT 1 AS one');
    expect(runningEmbeddedUrl(dataDir)).toBe(server.url);
    expect(statSync(join(dataDir, 'postgres-password')).mode & 0o077).toBe(0);
    await server.stop();
    await server.exited;
    expect(server.isRunning()).toBe(false);
  });

  it('stops what a killed run left and keeps its data', async () => {
    const left = await start();
    const server = await start();
    await left.exited;
    expect(await ask(server, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  it('recovers what was committed before kill -9', async () => {
    const killed = await start();
    await ask(killed, 'INSERT INTO kept VALUES (2)');
    process.kill(killed.processId, 'SIGKILL');
    await killed.exited;
    const server = await start();
    expect(await ask(server, 'SELECT count(*)::int AS rows FROM kept')).toEqual([{ rows: 2 }]);
    await server.stop();
  });

  it('ends with its process, also while that waits for the start', async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'exits-early.fixture.ts'), dataDir]);
    expect(await once(child, 'exit')).toEqual([0, null]);
    await eventually(() => !existsSync(join(dataDir, 'postgres/postmaster.pid')));
  });

  it('starts although a statement of the killed server is still running', async () => {
    const killed = await start();
    // It waits for nothing, so it does not notice that its server is gone.
    const busy = ask(killed, 'SELECT sum(sqrt(n)) FROM generate_series(1, 10_000_000_000) AS n').catch(() => 'broken');
    const running = `SELECT pid FROM pg_stat_activity WHERE query LIKE '%sqrt%' AND pid <> pg_backend_pid()`;
    let pid = 0;
    await eventually(async () => (pid = (await ask<{ pid: number }>(killed, running))[0]?.pid ?? 0) > 0);
    process.kill(killed.processId, 'SIGKILL');
    await killed.exited;
    expect(() => process.kill(pid, 0)).not.toThrow();
    const server = await start();
    expect(await busy).toBe('broken');
    expect(await ask(server, 'SELECT count(*)::int AS rows FROM kept')).toEqual([{ rows: 2 }]);
    await server.stop();
  });

  it('reports in one sentence that the folder is of another version', async () => {
    const versionFile = join(dataDir, 'postgres/PG_VERSION');
    writeFileSync(versionFile, '17\n');
    await expect(start()).rejects.toThrow(/was made by Postgres 17 and this is 18/);
    writeFileSync(versionFile, '18\n');
  });
});
