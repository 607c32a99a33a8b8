import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './plain-failure.ts';

/** Stops a Postgres that a killed run left on this data folder. Resolves with whether there was one. */
export async function stopLeftover(clusterFolder: string): Promise<boolean> {
  const lockFile = join(clusterFolder, 'postmaster.pid');
  if (!existsSync(lockFile)) return false;
  const pid = Number(readFileSync(lockFile, 'utf8').split('\n')[0]);
  if (!isPostgresOf(pid, clusterFolder)) {
    // The number may belong to anybody by now, and Postgres would refuse to start.
    rmSync(lockFile, { force: true });
    return false;
  }
  // Fast first; then without a checkpoint, to be recovered at the next start.
  for (const [signal, waitMs] of [['SIGINT', 8_000] as const, ['SIGQUIT', 4_000] as const]) {
    process.kill(pid, signal);
    if (await isGoneWithin(pid, clusterFolder, waitMs)) return true;
  }
  throw new EmbeddedPostgresError(
    `The Postgres with process id ${pid} on ${clusterFolder} cannot be stopped. Stop it first.`,
  );
}

async function isGoneWithin(pid: number, clusterFolder: string, waitMs: number): Promise<boolean> {
  const endsAt = performance.now() + waitMs;
  while (performance.now() < endsAt) {
    if (!isPostgresOf(pid, clusterFolder)) return true;
    await sleep(50);
  }
  return false;
}

function isPostgresOf(pid: number, clusterFolder: string): boolean {
  if (!Number.isInteger(pid) || pid <= 1 || pid === process.pid) return false;
  const command = commandOf(pid);
  return command.includes('postgres') && command.includes(clusterFolder);
}

function commandOf(pid: number): string {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)]).stdout?.toString() ?? '';
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
