// Runs one attack in a process of its own, at the lowest priority: its processor time is not what is measured.
import { setPriority } from 'node:os';
import type { Attack } from './attacks/attack.ts';
import { attacks } from './attacks/index.ts';

type AttackTask = { name: string; url: string; apiKeys: readonly string[] };
/** `ready`: the attack can begin, on any message. `statuses`: it has ended, after a second message. */
export type AttackMessage = { ready: true } | { statuses: Record<string, number> } | { failed: string };

async function run({ name, url, apiKeys }: AttackTask): Promise<void> {
  const attack = attacks.find((one) => one.name === name) as Attack;
  const statuses: Record<string, number> = {};
  const over = new AbortController();
  const count = (status: number | string) => void (statuses[status] = (statuses[status] ?? 0) + 1);
  const target = { url, apiKeys, signal: over.signal, count };
  const prepared = await attack.prepare?.(target);
  const begin = nextMessage();
  process.send?.({ ready: true } satisfies AttackMessage);
  await begin;
  void nextMessage().then(() => over.abort());
  await attack.run(target, prepared);
  process.send?.({ statuses } satisfies AttackMessage, () => process.exit(0));
}

const nextMessage = () => new Promise<void>((resolve) => process.once('message', () => resolve()));

setPriority(19);
process.setMaxListeners(0);
process.once('disconnect', () => process.exit(1));
process.once('message', (task) => {
  run(task as AttackTask).catch((error: unknown) => {
    process.send?.({ failed: String(error) } satisfies AttackMessage, () => process.exit(1));
  });
});
