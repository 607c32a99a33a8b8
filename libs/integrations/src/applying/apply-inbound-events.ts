import type { StoredEvent } from '@eas/contracts';
import { AppError, createPauses } from '@eas/core';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { receiveEarlyChecks } from '../inbound/early-checks.store.ts';
import type { Applied } from '../inbound/inbound-event.ts';
import {
  type Settlement,
  settleReceipts,
  takeWaitingReceipts,
  type WaitingReceipt,
} from '../inbound/inbound-event.store.ts';
import { saveResults } from '../integrations/integration-health.store.ts';
import { noRules, readInboundRules } from '../integrations/integration.read-model.ts';
import { resultMarks } from './result-marks.ts';
import { readReceipt, type ReadReceipt, refuseOthers } from './read-receipt.ts';
import { asSender } from './sender-context.ts';
import { applyObjectEvent } from './apply-object-event.ts';
import { applyTaskEvent } from './apply-task-event.ts';
import { createNewTasks, type MadeTask } from './create-platform-task.ts';
import { openPlatformBatch, type PlatformBatch } from './platform-batch.ts';
import { shownCommits } from './pull-request-batch.ts';
import { applyPullRequest } from './apply-pull-request.ts';

/**
 * Consumer `inbound.apply`: brings receipts to their effect, oldest first, in the transaction that `ctx` carries.
 * A receipt that our rules refuse is settled as failed when it comes alone; any other error rolls the batch back.
 */
export async function applyInboundEvents(ctx: UseCaseContext, events: readonly StoredEvent[]): Promise<void> {
  const receipts = await takeWaitingReceipts(ctx, receiptIds(events));
  if (receipts.length === 0) return;
  const [alone] = receipts;
  const { settlements, read } =
    receipts.length === 1 && alone ? await applyAlone(ctx, alone) : await applyAll(ctx, receipts);
  for (const { id, status, outcome } of settlements)
    if (status === 'failed') ctx.logger.warn({ inboundEventId: id, outcome }, 'inbound event not applied');
  await saveResults(ctx, resultMarks(await settleReceipts(ctx, settlements)));
  const shown = shownCommits(read);
  if (shown.length > 0) await ctx.inTransaction((tx) => receiveEarlyChecks(tx, shown, ctx.clock.now()));
}

/** What became of receipts, and what they say. */
type AppliedAll = { settlements: Settlement[]; read: readonly ReadReceipt[] };

/** Settles a receipt that no try could apply as failed. */
export async function giveUpInboundEvent(ctx: UseCaseContext, event: StoredEvent): Promise<void> {
  const outcome = 'gave_up: failed ten times';
  const settled = await settleReceipts(
    ctx,
    receiptIds([event]).map((id) => ({ id, status: 'failed', outcome })),
  );
  await saveResults(ctx, resultMarks(settled));
}

function receiptIds(events: readonly StoredEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'inbound.received' ? [event.data.inbound_event_id] : []));
}

/** Behind a savepoint, so that what it wrote before a refusal is undone. */
async function applyAll(ctx: UseCaseContext, receipts: readonly WaitingReceipt[]): Promise<AppliedAll> {
  const pause = createPauses();
  const read: ReadReceipt[] = [];
  for (const receipt of receipts) {
    read.push(await readReceipt(receipt));
    await pause();
  }
  return ctx.inTransaction(async (tx) => {
    const inside = contextInTransaction(ctx, tx);
    const rules = await readInboundRules(tx, [...new Set(receipts.map(({ integrationRef }) => integrationRef))]);
    const admitted = read.map((one) => refuseOthers(one, rules.get(one.receipt.integrationRef) ?? noRules));
    const batch = await openPlatformBatch(tx, admitted, rules);
    const made = await createNewTasks(inside, batch, admitted);
    const settlements: Settlement[] = [];
    for (const one of admitted) {
      settlements.push({ id: one.receipt.id, ...(await apply(inside, batch, one, made.get(one.receipt.id))) });
      await pause();
    }
    await batch.save();
    return { settlements, read: admitted };
  });
}

async function applyAlone(ctx: UseCaseContext, receipt: WaitingReceipt): Promise<AppliedAll> {
  try {
    return await applyAll(ctx, [receipt]);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const settlement = { id: receipt.id, status: 'failed', outcome: error.message.slice(0, 1_000) } as const;
    return { settlements: [settlement], read: [] };
  }
}

async function apply(
  ctx: UseCaseContext,
  batch: PlatformBatch,
  read: ReadReceipt,
  made: MadeTask | undefined,
): Promise<Applied> {
  const sender = asSender(ctx, read.receipt.integrationRef);
  switch (read.kind) {
    case 'refused':
      return { status: read.status, outcome: read.reason };
    case 'pull request':
      return applyPullRequest(sender, batch, read);
    case 'object':
      return applyObjectEvent(batch, read);
    case 'task':
      return applyTaskEvent(sender, batch, read, made);
  }
}
