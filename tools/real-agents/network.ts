// A machine without internet: the program starts itself again in a network namespace that has the loopback interface alone.
import { spawnSync } from 'node:child_process';

const marker = 'REAL_AGENTS_OFFLINE';
const inside = 'ip link set lo up && exec "$@"';

export const isOffline = (): boolean => process.env[marker] === '1';

/** Whether this machine lets the user make such a namespace. */
const canBeOffline = (): boolean =>
  process.platform === 'linux' && spawnSync('unshare', ['--net', 'ip', 'link', 'set', 'lo', 'up']).status === 0;

/** Runs this program again without internet; gives its exit code, or undefined where that is not possible. */
export function runOffline(): number | undefined {
  if (!canBeOffline()) return undefined;
  const self = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const { status } = spawnSync('unshare', ['--net', 'sh', '-c', inside, 'sh', ...self], {
    env: { ...process.env, [marker]: '1' },
    stdio: 'inherit',
  });
  return status ?? 1;
}
