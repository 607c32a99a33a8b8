import type { StoredEvent } from '@eas/contracts';
import {
  inSavepoint,
  isDatabaseUnavailable,
  lockEventCursor,
  moveEventCursor,
  requeueEvents,
  type Tx,
  type UseCaseContext,
} from '@eas/db';
import { recordNewestFacts } from './fact.store.ts';
import { type FollowedFacts, readFactsAfter } from './followed-fact.read-model.ts';
import { newestOf } from './newest-facts.ts';

/**
 * Consumer `facts.follow`: records what tasks have become by the events that have a number since the last time. The
 * cursor moves with the facts, so each is read once. It comes again while there is more, or while another process reads.
 */
export async function followFacts(
  ctx: UseCaseContext,
  events: readonly StoredEvent[],
): Promise<{ again: readonly string[] }> {
  const again = events.slice(0, 1).map(({ eventId }) => eventId);
  const { logger, signal } = ctx;
  return ctx.inTransaction(async (tx) => {
    const from = await lockEventCursor(tx, 'facts.follow');
    if (from === undefined) return { again };
    const { facts, to, isMore } = await readFactsAfter(tx, from);
    await record({ logger, signal }, tx, newestOf(facts));
    await moveEventCursor(tx, 'facts.follow', to);
    return { again: isMore ? again : [] };
  });
}

/** Facts that cannot be recorded are left to `facts.record`, which tries each by itself, so that they hold up no others. */
async function record(
  work: Pick<UseCaseContext, 'logger' | 'signal'>,
  tx: Tx,
  facts: readonly FollowedFacts[],
): Promise<void> {
  if (facts.length === 0) return;
  try {
    await inSavepoint(tx, (inner) => recordNewestFacts(inner, facts));
  } catch (error) {
    if (isDatabaseUnavailable(error) || work.signal.aborted) throw error;
    if (facts.length > 1) {
      const half = Math.ceil(facts.length / 2);
      for (const part of [facts.slice(0, half), facts.slice(half)]) await record(work, tx, part);
      return;
    }
    const eventIds = facts.map(({ eventId }) => eventId);
    work.logger.warn({ err: error, eventIds }, 'facts not recorded with others, left to their job');
    await requeueEvents(tx, 'facts.record', { eventIds, afterMs: 0 });
  }
}
