import { type Directive, idOutput } from '@eas/contracts';
import { z } from 'zod';
import type { Log } from '../log.ts';

/** A directive of the service; unknown kinds are passed on too. */
export const order = z.looseObject({ id: idOutput, kind: z.string().max(64) });
export type Order = z.infer<typeof order>;
const orders = z.array(order).max(1_000);

/** Kinds that end the work instead of being passed to the command. */
const endings: readonly string[] = ['cancel', 'lease_lost'] satisfies Directive['kind'][];

export type InboxParts = {
  deliver: (order: Order) => Promise<void>;
  acknowledge: (ids: string[]) => Promise<void>;
  log: Log;
};

/** Passes each directive of the service on once, and acknowledges it. Failed ones are returned again. */
export function openInbox({ deliver, acknowledge, log }: InboxParts) {
  const [inHand, delivered] = [new Set<string>(), new Set<string>()];

  async function handOver(fresh: readonly Order[]): Promise<void> {
    for (const { id } of fresh) inHand.add(id);
    try {
      for (const one of fresh.filter(({ id }) => !delivered.has(id))) {
        log(`${one.kind} ${one.id}`);
        if (!endings.includes(one.kind)) await deliver(one);
        delivered.add(one.id);
      }
      await acknowledge(fresh.map(({ id }) => id));
    } finally {
      for (const { id } of fresh) inHand.delete(id);
    }
  }

  return {
    /** Handles the directives of a response; returns the one that ends the work, if any. */
    take(directives: unknown): Order | undefined {
      const fresh = (orders.safeParse(directives).data ?? []).filter(({ id }) => !inHand.has(id));
      if (fresh.length > 0) void handOver(fresh).catch((error: unknown) => log(`inbox not written: ${String(error)}`));
      return fresh.find(({ kind }) => endings.includes(kind));
    },
  };
}

export const reasonOf = ({ kind, reason }: Order) =>
  typeof reason === 'string' && reason !== '' ? `${kind}: ${reason}` : kind;
