import type { InboundEventResource } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { noReceipt, receiptResource } from '../receipts/receipt.ts';
import { findReceipt } from '../receipts/receipt.read-model.ts';
import { problemOf, receiveAgain } from '../receipts/receive-again.ts';
import { lockReceipts } from '../receipts/receive-again.store.ts';

/** Applies the stored body of a receipt again. Throws not_found, conflict `state` for one that cannot be applied again. */
export async function replayInboundEvent(ctx: UseCaseContext, id: string): Promise<InboundEventResource> {
  return ctx.inTransaction(async (tx) => {
    const [receipt] = await lockReceipts(tx, [id]);
    if (!receipt) throw noReceipt();
    const problem = problemOf(receipt);
    if (problem) throw new AppError('conflict', { ...problem, constraint: 'state' });
    await receiveAgain(tx, [receipt], ctx.clock.now());
    const replayed = await findReceipt(tx, id);
    if (!replayed) throw noReceipt();
    return receiptResource(replayed);
  });
}
