import type { InboundEventDetail } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { noReceipt, receiptResource } from './receipt.ts';
import { findReceipt } from './receipt.read-model.ts';

/** One receipt with its body as it arrived. Throws not_found. */
export async function getInboundEvent(ctx: UseCaseContext, id: string): Promise<InboundEventDetail> {
  const receipt = await findReceipt(ctx, id);
  if (!receipt) throw noReceipt();
  const { body } = receipt;
  return { ...receiptResource(receipt), body, body_reason: body === null ? 'retention' : null };
}
