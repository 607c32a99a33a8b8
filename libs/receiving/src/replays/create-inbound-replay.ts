import { addJob, countInTime } from '@eas/bulk-jobs';
import type {
  CreateInboundReplayBody,
  InboundReplayFilter,
  InboundReplayFilterInput,
  InboundReplayPreview,
  InboundReplayResource,
} from '@eas/contracts';
import { AppError, formatTimestamp } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { inboundReplayResource, receiptFilterOf } from './inbound-replay.ts';
import { inboundReplayKind } from './inbound-replay-kind.ts';
import { countReceipts } from './inbound-replay.read-model.ts';

/** Counts what a replay would apply again. Throws as createInboundReplay does, but for the limit. */
export async function previewInboundReplay(
  ctx: UseCaseContext,
  body: CreateInboundReplayBody,
): Promise<InboundReplayPreview> {
  const { filter, total } = await selectReplay(ctx, body);
  return { total, filter };
}

/**
 * Starts applying receipts again, some a second. Throws invalid_input for a range that is empty or too large to count,
 * conflict `limit` when one is running.
 */
export async function createInboundReplay(
  ctx: UseCaseContext,
  body: CreateInboundReplayBody,
): Promise<InboundReplayResource> {
  const { filter, total, createdAt } = await selectReplay(ctx, body);
  const selected = { filter, maxPerSecond: body.max_per_second, total, replayed: 0 };
  const start = { ...selected, createdBy: ctx.actor.id, createdAt };
  return inboundReplayResource(await ctx.inTransaction((tx) => addJob(tx, inboundReplayKind, start)));
}

async function selectReplay(ctx: UseCaseContext, body: CreateInboundReplayBody) {
  const createdAt = ctx.clock.now();
  const { received_after: from, received_before: to } = body.filter;
  if (from && to && to <= from)
    throw new AppError('invalid_input', {
      field: 'filter.received_before',
      constraint: 'min',
      message: 'filter.received_before must be later than filter.received_after.',
    });
  const filter = storedFilter(body.filter);
  const selected = receiptFilterOf(filter, createdAt);
  const message = 'The filter matches too many inbound events to count them in time. Narrow it with received_after.';
  return { filter, createdAt, total: await countInTime(ctx, (tx) => countReceipts(tx, selected), message) };
}

const storedFilter = ({
  received_after: from,
  received_before: to,
  ...equal
}: InboundReplayFilterInput): InboundReplayFilter => ({
  state: equal.state,
  integration_id: equal.integration_id ?? null,
  source: equal.source ?? null,
  event: equal.event ?? null,
  external_id: equal.external_id ?? null,
  received_after: from ? formatTimestamp(from) : null,
  received_before: to ? formatTimestamp(to) : null,
});
