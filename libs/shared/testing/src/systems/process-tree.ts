import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** The output of `ps`, which runs once more if the signal that we handle ended it too. */
function listProcesses(): string {
  for (let triesLeft = 5; ; triesLeft -= 1) {
    const { status, stdout, error } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    if (status === 0) return stdout;
    if (error || triesLeft === 0) throw error ?? new Error('ps has ended without a list');
  }
}

/** The descendants of this process, also in sessions of their own. Needs `ps`. */
export function descendantsOf(pid: number): number[] {
  const children = Map.groupBy(
    listProcesses()
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number)),
    ([, parent]) => parent,
  );
  const found: number[] = [];
  const waiting = [pid];
  for (const parent of waiting)
    for (const [child = 0] of children.get(parent) ?? []) {
      found.push(child);
      waiting.push(child);
    }
  return found;
}

const isAlive = (pid: number): boolean => signalProcess(pid, 0);

/** False if there is no such process any more. */
export function signalProcess(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false; // it has ended
  }
}

/** Ends processes with SIGTERM, and the remaining ones after `graceMs` with SIGKILL. */
export async function endProcesses(pids: readonly number[], graceMs: number): Promise<void> {
  for (const pid of pids) signalProcess(pid, 'SIGTERM');
  for (const endMs = Date.now() + graceMs; Date.now() < endMs && pids.some(isAlive);) await sleep(50);
  for (const pid of pids) signalProcess(pid, 'SIGKILL');
}

const stopMs = 10_000;

/**
 * On Ctrl-C and SIGTERM: runs `stop` for at most 10 s, ends whatever this process has started, then the process itself
 * with 130. A signal that is repeated (npm passes a terminal's Ctrl-C on) changes nothing. For tools' main files.
 */
export function endDescendantsOnSignal(stop: () => Promise<unknown> = () => Promise.resolve()): void {
  const end = async () => {
    process.stderr.write('interrupted: ending what was started\n');
    const started = descendantsOf(process.pid);
    await Promise.race([stop().catch(() => undefined), sleep(stopMs)]);
    await endProcesses(started, 5_000);
    // Processes that the work started before it noticed the interruption.
    await endProcesses(descendantsOf(process.pid), 0);
  };
  let ending: Promise<void> | undefined;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => void (ending ??= end().finally(() => process.exit(130))));
}
