import { addJob, countInTime } from '@eas/bulk-jobs';
import type { CreateReplayBody, ReplayFilter, ReplayFilterInput, ReplayPreview, ReplayResource } from '@eas/contracts';
import { AppError, formatTimestamp } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { getEndpoint } from '../endpoints/get-endpoint.ts';
import { keptSince } from '../events/retention.ts';
import { replayResource, selectionOf } from './replay.ts';
import { replayKind } from './replay-kind.ts';
import { countSelected } from './replay.read-model.ts';

export type ReplayRequest = { endpointId: string; body: CreateReplayBody };

/** Counts what a replay would send again. Throws as createReplay does, except for the limits. */
export async function previewReplay(ctx: UseCaseContext, request: ReplayRequest): Promise<ReplayPreview> {
  const { filter, total } = await selectReplay(ctx, request);
  return { total, filter };
}

/**
 * Starts sending deliveries again, some a second. Throws not_found for the endpoint, invalid_input for a range that is
 * empty, too old or too large to count, conflict `state` for a disabled endpoint and `limit` when too many run.
 */
export async function createReplay(ctx: UseCaseContext, request: ReplayRequest): Promise<ReplayResource> {
  const { filter, total, createdAt } = await selectReplay(ctx, request);
  const { endpointId, body } = request;
  const selected = { endpointId, filter, maxPerSecond: body.max_per_second, total, replayed: 0 };
  const start = { ...selected, createdBy: ctx.actor.id, createdAt };
  return replayResource(await ctx.inTransaction((tx) => addJob(tx, replayKind, start)));
}

async function selectReplay(ctx: UseCaseContext, { endpointId, body }: ReplayRequest) {
  const { status } = (await getEndpoint(ctx, endpointId)).body;
  if (status === 'disabled')
    throw new AppError('conflict', {
      field: 'status',
      constraint: 'state',
      message: 'The webhook is disabled. Enable it first.',
    });
  const createdAt = ctx.clock.now();
  assertRange(body.filter, keptSince(ctx));
  const filter = storedFilter(body.filter);
  const selection = selectionOf(endpointId, filter, createdAt);
  const message = 'The filter matches too many deliveries to count them in time. Narrow it with from and to.';
  return { filter, createdAt, total: await countInTime(ctx, (tx) => countSelected(tx, selection), message) };
}

function assertRange({ from, to }: ReplayFilterInput, oldest: Date | undefined): void {
  if (from && oldest && from < oldest) {
    const message = `filter.from must be ${formatTimestamp(oldest)} or later: older deliveries are no longer stored.`;
    throw new AppError('invalid_input', { field: 'filter.from', constraint: 'min', message });
  }
  if (from && to && to <= from)
    throw new AppError('invalid_input', {
      field: 'filter.to',
      constraint: 'min',
      message: 'filter.to must be later than filter.from.',
    });
}

const storedFilter = ({ from, to, event_types: types, statuses }: ReplayFilterInput): ReplayFilter => ({
  from: from ? formatTimestamp(from) : null,
  to: to ? formatTimestamp(to) : null,
  event_types: types ?? null,
  statuses: [...new Set(statuses)],
});
