import type { Logger } from '@eas/core';
import type { Database, UseCaseContext } from '@eas/db';
import { sendNext } from './send-next.ts';
import { createSlots } from './slots.ts';
import type { OnAttempt, TargetKind } from './target-kind.ts';
import { type DueDestination, findDue, nextDueAt } from './target.sweeper.ts';

type SenderParts<M> = {
  database: Pick<Database, 'db'>;
  /** `signal` cuts off requests when the sender is closed. */
  contextOf(tenantId: string, signal: AbortSignal): UseCaseContext;
  logger: Logger;
  onAttempt?: OnAttempt<M> | undefined;
};

type Sender = {
  /** Starts sending where something is due, as far as there are slots, and does not wait for it. */
  sweep(): Promise<void>;
  /** When a sweep may find something next. */
  nextDueAt(): Promise<Date | null>;
  /** Resolves when what was started has ended. */
  drain(): Promise<void>;
  /** Cuts off what runs, and waits for it. What was cut off is sent by another process. */
  close(): Promise<void>;
};

/**
 * Sends the messages of a kind, in the shares of tenants and groups. A request that hangs leaves its slot after `slowMs`
 * and continues; the next one to its destination comes after those to destinations that respond.
 */
export function createSender<D extends object, M extends object, R>(
  kind: TargetKind<D, M, R>,
  { database, contextOf, logger, onAttempt }: SenderParts<M>,
): Sender {
  const slots = createSlots(kind.limits);
  const running = new Map<string, Promise<void>>();
  const closing = new AbortController();

  function start({ tenantId, key, isSlow }: DueDestination): void {
    const id = JSON.stringify([tenantId, key]);
    if (running.has(id)) return;
    const leave = slots.tryTake(tenantId, `${tenantId} ${Object.values(key)[0]}`, isSlow);
    if (!leave) return;
    const run = sendNext(contextOf(tenantId, closing.signal), kind, key, onAttempt)
      // Its claim ends by itself, and the message is sent again.
      .catch((error: unknown) => logger.error({ err: error, tenantId, ...key }, kind.log.broken))
      .finally(() => {
        leave();
        running.delete(id);
      });
    running.set(id, run);
  }

  async function drain() {
    await Promise.all(running.values());
  }

  return {
    async sweep() {
      const due = await findDue(database.db, kind.destinations);
      if (closing.signal.aborted) return;
      // Tenants with fewer requests in hand go first.
      const turnOf = ({ tenantId, turn }: DueDestination) => slots.taken(tenantId) + turn;
      due.sort((a, b) => Number(a.isSlow) - Number(b.isSlow) || turnOf(a) - turnOf(b)).forEach(start);
    },
    nextDueAt: () => nextDueAt(database.db, kind.destinations),
    drain,
    close() {
      closing.abort();
      return drain();
    },
  };
}
