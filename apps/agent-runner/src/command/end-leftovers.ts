import { readdir, readFile } from 'node:fs/promises';

/** Number of passes over the processes: a found process may have started another in the meantime. */
const maxPasses = 5;

/**
 * Kills all processes that have `text` in their environment: what a command started lives on when it left the process group, as
 * the shells of coding agents do. On Linux; elsewhere nothing finds them.
 */
export async function endLeftovers(text: string): Promise<void> {
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const names = await readdir('/proc').catch(() => []);
    const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
    const killed = await Promise.all(pids.map((pid) => killIfMarked(pid, text)));
    if (!killed.includes(true)) return;
  }
}

async function killIfMarked(pid: number, text: string): Promise<boolean> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
    return environment.includes(text) && process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended, or is not ours.
    return false;
  }
}
