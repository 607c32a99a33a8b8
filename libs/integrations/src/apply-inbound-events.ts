import type { StoredEvent } from '@eas/contracts';
import { AppError } from '@eas/core';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import type { Applied } from './inbound/inbound-event.ts';
import {
  type Settlement,
  settleReceipts,
  takeWaitingReceipts,
  type WaitingReceipt,
} from './inbound/inbound-event.store.ts';
import { asSender } from './inbound/sender-context.ts';
import { applyObjectEvent } from './platform/apply-object-event.ts';
import { applyTaskEvent } from './platform/apply-task-event.ts';
import { createNewTasks, type MadeTask } from './platform/create-platform-task.ts';
import { openPlatformBatch, type PlatformBatch } from './platform/platform-batch.ts';
import { saveTaskLinks } from './platform/task-link.store.ts';
import { applyPullRequest } from './source-host/apply-pull-request.ts';

/**
 * Consumer `inbound.apply`: brings receipts to their effect, oldest first, in the transaction that `ctx` carries.
 * A receipt that our rules refuse is settled as failed when it comes alone; any other error rolls the batch back.
 */
export async function applyInboundEvents(ctx: UseCaseContext, events: readonly StoredEvent[]): Promise<void> {
  const ids = events.flatMap((event) => (event.type === 'inbound.received' ? [event.data.inbound_event_id] : []));
  const receipts = await takeWaitingReceipts(ctx, ids);
  if (receipts.length === 0) return;
  const [alone] = receipts;
  const settlements = receipts.length === 1 && alone ? [await applyAlone(ctx, alone)] : await applyAll(ctx, receipts);
  await settleReceipts(ctx, settlements);
}

async function applyAll(ctx: UseCaseContext, receipts: readonly WaitingReceipt[]): Promise<Settlement[]> {
  const batch = await openPlatformBatch(ctx, receipts);
  const made = await createNewTasks(ctx, batch, receipts);
  const settlements: Settlement[] = [];
  for (const receipt of receipts)
    settlements.push({ id: receipt.id, ...(await apply(ctx, batch, receipt, made.get(receipt.id))) });
  await saveTaskLinks(ctx, batch.changedLinks());
  return settlements;
}

async function applyAlone(ctx: UseCaseContext, receipt: WaitingReceipt): Promise<Settlement> {
  try {
    // Behind a savepoint, so that what it wrote before the refusal is undone.
    const [settlement] = await ctx.inTransaction((tx) => applyAll(contextInTransaction(ctx, tx), [receipt]));
    return settlement ?? { id: receipt.id, status: 'ignored', outcome: 'nothing to do' };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.logger.warn({ err: error, inboundEventId: receipt.id }, 'an inbound event could not be applied');
    return { id: receipt.id, status: 'failed', outcome: error.message.slice(0, 1_000) };
  }
}

function apply(
  ctx: UseCaseContext,
  batch: PlatformBatch,
  receipt: WaitingReceipt,
  made: MadeTask | undefined,
): Promise<Applied> {
  const { source, event, integrationRef } = receipt;
  const sender = asSender(ctx, integrationRef);
  if (source === 'sourcehost') return applyPullRequest(sender, receipt);
  return event.startsWith('task') ? applyTaskEvent(sender, batch, receipt, made) : applyObjectEvent(sender, receipt);
}
