import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';

export type Ended = { code: number | null; signal: NodeJS.Signals | null };

/** Interval of the checks of output that a process outside of the group may hold open. */
const pollMs = 500;

/**
 * Resolves when the leader of a process group has ended, the rest of the group is killed, and the output was read. A
 * program that left the group may hold the output open for ever, so the output is not awaited to its end.
 */
export function endOfGroup(child: ChildProcess): Promise<Ended> {
  return new Promise((resolve, reject) => {
    let end: Ended = { code: null, signal: null };
    let timer: NodeJS.Timeout | undefined;
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      end = { code, signal };
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
      const outputs = [child.stdout, child.stderr].filter((output) => output !== null);
      timer = setInterval(endIdle, pollMs, outputs, new Set());
    });
    child.once('close', () => {
      clearInterval(timer);
      resolve(end);
    });
  });
}

/** Ends outputs that had nothing to read at two checks in a row. */
function endIdle(outputs: readonly Readable[], idle: Set<Readable>): void {
  for (const output of outputs) {
    if (output.readableLength > 0 || output.readableEnded) idle.delete(output);
    else if (!idle.has(output)) idle.add(output);
    else output.on('error', () => {}).push(null);
  }
}

export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
