import { readFileSync } from 'node:fs';

/** Puts the key of API_KEY into a pipe, takes it out of the environment, and becomes the program again. */
const handOver = 'exec 3<<END\n$API_KEY\nEND\nunset API_KEY\nexec "$@" --key-fd 3';

/**
 * Restarts this process, under the same id, without API_KEY: the environment of its start stays readable for every
 * program of its user, the command among them. Returns when there is nothing to hide.
 */
export function hideKey(env: NodeJS.ProcessEnv): void {
  if (env['API_KEY'] === undefined) return;
  const self = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve?.('/bin/sh', ['sh', '-c', handOver, 'agent-runner', ...self], env);
}

/** This process, and those above it, whose environment still holds the key, as a command could read it there. Linux alone. */
export function processesThatShow(key: string): string[] {
  const holders: string[] = [];
  for (let pid = process.pid; pid > 1;) {
    try {
      const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
      const [, parent] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      if (isShownBy(pid, key)) holders.push(`${name} (${pid})`);
      pid = Number(parent ?? 0);
    } catch {
      break;
    }
  }
  return holders;
}

function isShownBy(pid: number, key: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(key);
  } catch {
    return false;
  }
}
