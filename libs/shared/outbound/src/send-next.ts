import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { sendClaimed } from './send-claimed.ts';
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
  const { message } = claimed;
  const startedMs = ctx.clock.monotonicMs();
  const report = (outcome: string, state: 'sent' | 'waiting' | 'failed') =>
    onAttempt({ message, outcome, state, durationMs: ctx.clock.monotonicMs() - startedMs });
  const { request, judge } = kind;
  const settle = async (_: UseCaseContext, sent: Sent<D, M, R>) => {
    const { outcome, state } = sent.verdict;
    const isOurs = await record(ctx, kind, sent);
    report(isOurs ? outcome : 'lease_lost', isOurs ? state : 'waiting');
    logAttempt(ctx, kind, sent, isOurs);
  };
  try {
    await sendClaimed(ctx, { request, judge, settle }, [claimed]);
  } catch (error) {
    report('error', 'waiting');
    throw error;
  }
}

/** False: the claim was lost in the meantime, and another process has sent the message or will. */
async function record<D extends object, M extends object, R>(
  ctx: UseCaseContext,
  kind: TargetKind<D, M, R>,
  sent: Sent<D, M, R>,
): Promise<boolean> {
  const isSlow = sent.durationMs >= (kind.limits.slowMs ?? Infinity);
  try {
    await ctx.inTransaction((tx) => {
      const settle = () => settleClaimed(tx, kind, sent.claimed, { ...sent.verdict, isSlow });
      return kind.apply ? kind.apply(contextInTransaction(ctx, tx), tx, sent, settle) : settle();
    });
    return true;
  } catch (error) {
    if (error instanceof ClaimLost) return false;
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
