import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runningEmbeddedUrl } from '@eas/db/embedded-postgres';
import { startOwnSystem } from '@eas/testing/own-system';
import pg from 'pg';
import type { Scenario } from '../harness/bench.ts';
import { childrenOf, ownPssMegabytes, processorMs, pssMegabytes, treeProcessorMs } from '../harness/memory.ts';
import { percent, say, table } from '../harness/report.ts';

const [mostOfACore, mostMegabytes, mostFsyncs] = [0.01, 700, 0];
/** V8 collects the garbage of the start for a few minutes. */
const settleSeconds = 240;
const quietSeconds = 60;

type Part = { name: string; pid: number; hasChildren: boolean };
type Disk = { commits: number; fsyncs: number; walBytes: number };

export const scenario: Scenario = {
  name: 'idle',
  about: `a system as \`npm start\` runs it, without any request: what it takes in ${quietSeconds} s, ${settleSeconds} s after it is ready`,
  async run() {
    const dataDir = mkdtempSync(join(tmpdir(), 'eas-bench-idle-'));
    const system = await startOwnSystem(process.env, { DATA_DIR: dataDir });
    try {
      await sleep(settleSeconds * 1_000);
      const parts = partsOf(system.pid);
      const diskBefore = await readDisk(dataDir);
      const [usedBefore, startMs] = [parts.map(usedMs), performance.now()];
      await sleep(quietSeconds * 1_000);
      const tookMs = performance.now() - startMs;
      const costs = parts.map((part, index) => ({
        name: part.name,
        core: (usedMs(part) - (usedBefore[index] ?? NaN)) / tookMs,
        megabytes: part.hasChildren ? pssMegabytes(part.pid) : ownPssMegabytes(part.pid),
      }));
      const disk = differenceOf(diskBefore, await readDisk(dataDir));
      const all = { name: 'all', core: sum(costs, 'core'), megabytes: sum(costs, 'megabytes') };
      const rows = [...costs, all].map(({ name, core, megabytes }) => [name, percent(core), megabytes]);
      table([['process', '% of a core', 'PSS MB'], ...rows]);
      say(
        `  ${(disk.commits / quietSeconds).toFixed(1)} commits a second, ${disk.walBytes} bytes of WAL, ${disk.fsyncs} fsyncs`,
      );
      if (all.core > mostOfACore || all.megabytes > mostMegabytes || disk.fsyncs > mostFsyncs)
        throw new Error(
          `more than ${percent(mostOfACore)} % of a core, ${mostMegabytes} MB or ${mostFsyncs} fsyncs in ${quietSeconds} s`,
        );
    } finally {
      await system.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
};

/** The supervisor by itself, then each app, and Postgres with its connections. */
function partsOf(supervisor: number): Part[] {
  const children = childrenOf(supervisor).map((pid) => ({ name: nameOf(pid), pid, hasChildren: true }));
  return [{ name: 'standalone', pid: supervisor, hasChildren: false }, ...children];
}

function nameOf(pid: number): string {
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  return /apps\/([\w-]+)\/src/.exec(command)?.[1] ?? 'postgres';
}

const usedMs = ({ pid, hasChildren }: Part): number => (hasChildren ? treeProcessorMs(pid) : processorMs(pid));

/** On a connection that is closed before anything is measured. */
async function readDisk(dataDir: string): Promise<Disk> {
  const client = new pg.Client({ connectionString: runningEmbeddedUrl(dataDir) });
  await client.connect();
  try {
    const { rows } = await client.query<Disk>(`
      SELECT (SELECT sum(xact_commit)::float8 FROM pg_stat_database) AS commits,
        (SELECT sum(fsyncs)::float8 FROM pg_stat_io) AS fsyncs,
        pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS "walBytes"`);
    if (!rows[0]) throw new Error('Postgres has no statistics');
    return rows[0];
  } finally {
    await client.end();
  }
}

const differenceOf = (before: Disk, after: Disk): Disk => ({
  commits: after.commits - before.commits,
  fsyncs: after.fsyncs - before.fsyncs,
  walBytes: after.walBytes - before.walBytes,
});

const sum = <K extends string>(rows: readonly Record<K, number>[], key: K): number =>
  rows.reduce((total, row) => total + row[key], 0);
