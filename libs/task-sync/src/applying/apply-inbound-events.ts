import type { StoredEvent } from '@eas/contracts';
import { AppError, createPauses } from '@eas/core';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { receiveEarlyChecks } from '@eas/source-host';
import { type Settlement, settleReceipts, takeWaitingReceipts, type WaitingReceipt } from '@eas/receiving';
import { noRules, readInboundRules, saveResults } from '@eas/integrations';
import { resultMarks } from './result-marks.ts';
import { readReceipt, type ReadReceipt, refuseOthers } from '../merging/read-receipt.ts';
import { applyReceipts } from './apply-receipts.ts';
import { shownCommits } from '../merging/platform-keys.ts';

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
    const rules = await readInboundRules(tx, [...new Set(receipts.map(({ integrationRef }) => integrationRef))]);
    const admitted = read.map((one) => refuseOthers(one, rules.get(one.receipt.integrationRef) ?? noRules));
    return { settlements: await applyReceipts(contextInTransaction(ctx, tx), tx, admitted, rules), read: admitted };
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
