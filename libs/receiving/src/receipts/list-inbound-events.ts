import type { InboundEventList, InboundEventListQuery } from '@eas/contracts';
import { AppError, isId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { receiptResource } from './receipt.ts';
import { pageReceipts } from './receipt.read-model.ts';

const defaultLimit = 20;

/** Receipts, newest first. Throws invalid_request for a cursor that is none. */
export async function listInboundEvents(
  ctx: UseCaseContext,
  { limit = defaultLimit, after, ...filter }: InboundEventListQuery,
): Promise<InboundEventList> {
  if (after && !isId('inboundEvent', after))
    throw new AppError('invalid_request', {
      field: 'after',
      constraint: 'format',
      message: 'after must be a next_cursor of this list, or the id of an inbound event.',
    });
  const page = { limit, after: after || undefined };
  const { items, nextCursor } = await ctx.inTransaction((tx) => pageReceipts(tx, filter, page));
  return {
    data: items.map(receiptResource),
    pagination: { limit, has_more: nextCursor !== null, next_cursor: nextCursor },
  };
}
