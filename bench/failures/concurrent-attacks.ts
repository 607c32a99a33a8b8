import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, notAllowed } from '../abuse/attacks/attack.ts';
import { attacks } from '../abuse/attacks/index.ts';
import type { AttackMessage } from '../abuse/attacker.ts';
import { makeTenantKeys } from '../abuse/tenant-keys.ts';
import type { Bench } from '../harness/bench.ts';
import { nextMessage, startChild } from '../harness/child-task.ts';

/** An attack is prepared within this time, unless something is down. */
const preparationMs = 30_000;
/** An attack that does not end within this time is killed; requests that hang take this long. */
const endMs = 10_000;

/** `wrong`: responses that are not allowed for an attack, whatever is down. */
export type AttackReport = {
  made: number;
  /** Could not be prepared, or was interrupted, because something was down. */
  notMade: number;
  wrong: string[];
};

/** The attacks of the abuse suite, one after the other, each by a new tenant, until it is stopped. */
export function startAttacks(bench: Bench, url: string, seconds: number): { stop(): Promise<AttackReport> } {
  const report: AttackReport = { made: 0, notMade: 0, wrong: [] };
  const over = new AbortController();
  const attackInTurn = async () => {
    for (let number = 0; !over.signal.aborted; number += 1) {
      const attack = attacks[number % attacks.length] as Attack;
      const statuses = await make(bench, { attack, url, seconds, number }, over.signal).catch(() => undefined);
      report[statuses ? 'made' : 'notMade'] += 1;
      report.wrong.push(...wrongOf(attack, statuses ?? {}));
    }
  };
  const done = attackInTurn();
  return {
    async stop() {
      over.abort();
      await done;
      return report;
    },
  };
}

/** Faults cause 5xx responses and broken connections; nothing else may. */
const isByFault = (status: string): boolean => /^5\d\d$/.test(status) || !/^\d+$/.test(status);

function wrongOf(attack: Attack, statuses: Record<string, number>): string[] {
  const wrong = notAllowed(attack, statuses).filter(([status]) => !isByFault(status));
  return wrong.map(([status, count]) => `${attack.name}: ${count} times ${status}`);
}

type Turn = { attack: Attack; url: string; seconds: number; number: number };

/** The responses to the attack; undefined when it could not be made. */
async function make(bench: Bench, { attack, url, seconds, number }: Turn, over: AbortSignal) {
  const rest = (ms: number) => sleep(ms, undefined, { signal: over }).catch(() => undefined);
  const tenant = await makeTenantKeys(bench, `${attack.name}-${number}`).catch(() => undefined);
  if (!tenant) return rest(seconds * 1_000);
  const attacker = startChild('../abuse/attacker.ts', { name: attack.name, url, apiKeys: tenant.keys });
  try {
    const preparation = await Promise.race([nextMessage<AttackMessage>(attacker), rest(preparationMs)]);
    if (!preparation || !('ready' in preparation)) return undefined;
    attacker.send('go');
    await rest(seconds * 1_000);
    const ended = nextMessage<AttackMessage>(attacker);
    attacker.send('stop');
    const message = await Promise.race([ended, sleep(endMs, undefined)]);
    return message && 'statuses' in message ? message.statuses : undefined;
  } finally {
    attacker.kill('SIGKILL');
  }
}
