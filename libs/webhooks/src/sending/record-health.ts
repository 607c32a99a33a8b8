import type { UseCaseContext } from '@eas/db';
import { appendHealthEvent } from '../endpoints/endpoint-event.ts';
import type { Target } from '../endpoints/endpoint.read-model.ts';
import { afterAttempts, changeOf, probeGapMs } from '../endpoints/health.ts';
import { type EndpointHealth, lockHealth, saveHealth, saveStatus } from '../endpoints/health.store.ts';
import type { DeliveryAttempt } from './verdict.ts';

/** The time of the last success is written again once it is that old. */
const successStepMs = 60_000;
/** A job that took longer reads the row of its endpoint again. */
const freshMs = 1_000;

/**
 * Counts the attempts of a job for the health of its endpoint and moves its status with them. A success at an endpoint
 * in good health writes nothing but once a minute.
 */
export async function recordHealth(
  ctx: UseCaseContext,
  { endpointId, target }: { endpointId: string; target: Target },
  attempts: readonly DeliveryAttempt[],
): Promise<void> {
  const tally = tallyOf(attempts);
  if (!hasChange(target, tally, ctx.clock.now())) return;
  await ctx.inTransaction(async (tx) => {
    const before = await lockHealth(tx, endpointId);
    if (!before) return;
    const at = ctx.clock.now();
    const after = afterAttempts(before, tally);
    await saveHealth(tx, endpointId, { ...after, ...tally });
    const change = changeOf(after, at);
    if (!change) return;
    const { status, type } = change;
    const reason = status === 'active' ? null : tally.reason;
    const probeAt = status === 'paused' ? new Date(at.getTime() + probeGapMs(0)) : null;
    await saveStatus(tx, endpointId, { status, reason, at, probeAt });
    const failures = status === 'active' ? before : after;
    appendHealthEvent(tx, { type, endpoint: { ...before, ...failures, status }, reason, at });
    ctx.logger.warn({ endpointId, status, reason, failuresInRow: failures.failuresInRow }, 'endpoint status changed');
  });
}

/** A receiver that responds 410 wants no more. */
export async function disableGone(ctx: UseCaseContext, endpointId: string): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const before = await lockHealth(tx, endpointId);
    if (!before || before.status === 'disabled') return;
    const at = ctx.clock.now();
    const disabled: EndpointHealth = { ...before, status: 'disabled' };
    await saveStatus(tx, endpointId, { status: 'disabled', reason: 'gone', at, probeAt: null });
    appendHealthEvent(tx, { type: 'webhook.disabled', endpoint: disabled, reason: 'gone', at });
    ctx.logger.warn({ endpointId, status: 'disabled', reason: 'gone' }, 'endpoint status changed');
  });
}

function tallyOf(attempts: readonly DeliveryAttempt[]) {
  const inOrder = attempts.toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime());
  const isSuccess = ({ verdict }: DeliveryAttempt) => verdict.state === 'sent';
  const last = inOrder.findLastIndex(isSuccess);
  const failed = inOrder.slice(last + 1);
  const lastFailed = inOrder.findLast((attempt) => !isSuccess(attempt));
  return {
    succeededAt: inOrder[last]?.startedAt ?? null,
    failures: failed.length,
    firstFailedAt: failed[0]?.startedAt ?? null,
    failedAt: lastFailed?.startedAt ?? null,
    reason: lastFailed?.verdict.outcome ?? null,
  };
}

function hasChange(target: Target, { failedAt, succeededAt }: ReturnType<typeof tallyOf>, now: Date): boolean {
  if (failedAt !== null) return true;
  if (succeededAt === null) return false;
  if (target.failuresInRow > 0 || target.status !== 'active' || target.lastSuccessAt === null) return true;
  // The endpoint was read a while ago: others may have recorded failures since.
  if (now.getTime() - succeededAt.getTime() >= freshMs) return true;
  return now.getTime() - target.lastSuccessAt.getTime() >= successStepMs;
}
