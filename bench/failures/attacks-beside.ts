import { setTimeout as sleep } from 'node:timers/promises';
import { attacks } from '../abuse/attacks/index.ts';
import type { AttackMessage } from '../abuse/attacker.ts';
import { makeTenantKeys } from '../abuse/tenant-keys.ts';
import type { Bench } from '../harness/bench.ts';
import { nextMessage, startChild } from '../harness/child-task.ts';

/** How often an attack was made, and how often it could not be prepared because something was away. */
export type AttackCounts = { made: number; notMade: number };

/** The attacks of the abuse suite, one after the other, each by a new tenant, until it is stopped. */
export function startAttacks(bench: Bench, url: string, seconds: number): { stop(): Promise<AttackCounts> } {
  const counts: AttackCounts = { made: 0, notMade: 0 };
  const over = new AbortController();
  const attackInTurn = async () => {
    for (let number = 0; !over.signal.aborted; number += 1) {
      const { name } = attacks[number % attacks.length] ?? { name: '' };
      const isMade = await attack(bench, { name, url, seconds, number }, over.signal).catch(() => false);
      counts[isMade ? 'made' : 'notMade'] += 1;
    }
  };
  const done = attackInTurn();
  return {
    async stop() {
      over.abort();
      await done;
      return counts;
    },
  };
}

type Turn = { name: string; url: string; seconds: number; number: number };

async function attack(bench: Bench, { name, url, seconds, number }: Turn, over: AbortSignal): Promise<boolean> {
  const rest = () => sleep(seconds * 1_000, undefined, { signal: over }).catch(() => {});
  const apiKeys = await makeTenantKeys(bench, `${name}-${number}`).catch(() => undefined);
  if (!apiKeys) return rest().then(() => false);
  const attacker = startChild('../abuse/attacker.ts', { name, url, apiKeys });
  const kill = () => void attacker.kill('SIGKILL');
  over.addEventListener('abort', kill);
  try {
    const isReady = 'ready' in (await nextMessage<AttackMessage>(attacker));
    if (isReady) attacker.send('go');
    await rest();
    return isReady;
  } finally {
    over.removeEventListener('abort', kill);
    kill();
  }
}
