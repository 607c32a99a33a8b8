import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './plain-failure.ts';

/** A signal and how long it may take. Fast first; then without a checkpoint, to be recovered at the next start. */
type Step = readonly [signal: NodeJS.Signals, waitMs: number];
const stepsOfServer: readonly Step[] = [
  ['SIGINT', 8_000],
  ['SIGQUIT', 4_000],
];
/** Processes whose work is lost; Postgres does not start while they hold their shared memory. */
const stepsOfOrphans: readonly Step[] = [
  ['SIGQUIT', 2_000],
  ['SIGKILL', 2_000],
];

/**
 * Ends what a killed run left on this data folder: its server, and the processes of a killed server, which continue
 * with their current statement. Resolves with whether there was a server.
 */
export async function stopLeftover(clusterFolder: string): Promise<boolean> {
  if (!existsSync(clusterFolder)) return false;
  const wasRunning = await stopServer(clusterFolder);
  await endAll(() => processesIn(clusterFolder), clusterFolder, stepsOfOrphans);
  return wasRunning;
}

async function stopServer(clusterFolder: string): Promise<boolean> {
  const lockFile = join(clusterFolder, 'postmaster.pid');
  if (!existsSync(lockFile)) return false;
  const pid = Number(readFileSync(lockFile, 'utf8').split('\n')[0]);
  if (!isPostgresOf(pid, clusterFolder)) {
    // The process id may belong to another process by now, and Postgres would refuse to start.
    rmSync(lockFile, { force: true });
    return false;
  }
  await endAll(() => (isPostgresOf(pid, clusterFolder) ? [pid] : []), clusterFolder, stepsOfServer);
  return true;
}

async function endAll(find: () => number[], clusterFolder: string, steps: readonly Step[]): Promise<void> {
  for (const [signal, waitMs] of steps) {
    for (const pid of find()) end(pid, signal);
    for (const endsAt = performance.now() + waitMs; performance.now() < endsAt; await sleep(50))
      if (find().length === 0) return;
  }
  const [pid] = find();
  if (pid === undefined) return;
  throw new EmbeddedPostgresError(
    `The Postgres with process id ${pid} on ${clusterFolder} cannot be stopped. Stop it first.`,
  );
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // Gone already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function isPostgresOf(pid: number, clusterFolder: string): boolean {
  if (!Number.isInteger(pid) || pid <= 1 || pid === process.pid) return false;
  const command = commandOf(pid);
  return command.includes('postgres') && command.includes(clusterFolder);
}

/** Postgres processes that work in the folder: their process titles name the database, but not the folder. */
function processesIn(clusterFolder: string): number[] {
  const folder = realpathSync(clusterFolder);
  if (process.platform !== 'linux') {
    // For each process one line `p` with its id and one `n` with its working directory.
    const lines = spawnSync('lsof', ['-a', '-c', 'postgres', '-d', 'cwd', '-F', 'pn']).stdout?.toString().split('\n');
    return (lines ?? []).flatMap((line, at) => (line === `n${folder}` ? [Number(lines?.[at - 2]?.slice(1))] : []));
  }
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && folderOf(pid) === folder && commandOf(pid).includes('postgres'));
}

function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
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
