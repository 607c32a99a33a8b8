import { contextInTransaction, type UseCaseContext } from '@eas/db';
import type { OnAttempt, Sent, TargetKind } from './target-kind.ts';
import { claimNext, ClaimLost, type Key, settleClaimed } from './target.store.ts';

/** Sends the next message of a destination, if it is due and not claimed by another process, and records the result. */
export async function sendNext<D extends object, M extends object, R>(
  ctx: UseCaseContext,
  kind: TargetKind<D, M, R>,
  key: Key,
  onAttempt: OnAttempt<M> = () => {},
): Promise<void> {
  const claimed = await ctx.inTransaction((tx) => claimNext(tx, kind, key));
  if (!claimed) return;
  const startedMs = ctx.clock.monotonicMs();
  const report = (outcome: string, state: 'sent' | 'waiting' | 'failed') =>
    onAttempt({ message: claimed.message, outcome, state, durationMs: ctx.clock.monotonicMs() - startedMs });
  try {
    const response = await kind.request(ctx, claimed);
    if (response === undefined) return;
    const isSlow = ctx.clock.monotonicMs() - startedMs >= (kind.limits.slowMs ?? Infinity);
    const verdict = kind.judge(response, claimed, ctx.clock.now());
    const sent = { claimed, response, verdict };
    // False: the claim was lost in the meantime, and another process has sent the message or will.
    const isOurs = await ctx
      .inTransaction(async (tx) => {
        const settle = () => settleClaimed(tx, kind, claimed, { ...verdict, isSlow });
        await (kind.apply ? kind.apply(contextInTransaction(ctx, tx), tx, sent, settle) : settle());
        return true;
      })
      .catch((error: unknown) => {
        if (error instanceof ClaimLost) return false;
        throw error;
      });
    report(isOurs ? verdict.outcome : 'lease_lost', isOurs ? verdict.state : 'waiting');
    logAttempt(ctx, kind, sent, isOurs);
  } catch (error) {
    report('error', 'waiting');
    throw error;
  }
}

function logAttempt(
  { logger, tenantId }: UseCaseContext,
  { log, destinations, messages }: TargetKind<object, object, unknown>,
  { claimed, verdict: { state, error, afterMs } }: Sent<object, object, unknown>,
  isOurs: boolean,
): void {
  const row: Key = { tenantId, ...claimed.destination, ...claimed.message };
  const fields = ['tenantId', ...destinations.key, ...messages.key].map((field) => [field, row[field]]);
  const message = { ...Object.fromEntries(fields), reason: error };
  if (!isOurs) logger.warn(message, log.lost);
  else if (state === 'failed') logger.warn(message, log.failed);
  else if (error !== undefined) logger.info({ ...message, afterMs }, log.putOff);
}
