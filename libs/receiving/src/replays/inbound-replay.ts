import { jobResource, type JobRow } from '@eas/bulk-jobs';
import type { InboundReplayFilter, InboundReplayResource } from '@eas/contracts';
import type { ReceiptFilter } from '../receipts/receipt.read-model.ts';

export type InboundReplay = JobRow &
  Pick<InboundReplayResource, 'status' | 'total' | 'replayed'> & { filter: InboundReplayFilter; maxPerSecond: number };

export function inboundReplayResource(replay: InboundReplay): InboundReplayResource {
  const { filter, maxPerSecond, total, replayed } = replay;
  return jobResource(replay, {}, { filter, max_per_second: maxPerSecond, total, replayed });
}

/** The filter of a list that selects what a replay does. What arrives after `createdAt` is never part of it. */
export function receiptFilterOf(filter: InboundReplayFilter, createdAt: Date): ReceiptFilter {
  const { received_after: from, received_before: to, ...equal } = filter;
  const before = to === null ? createdAt : new Date(Math.min(Date.parse(to), createdAt.getTime()));
  const present = Object.entries(equal).filter(([, value]) => value !== null);
  return {
    ...(Object.fromEntries(present) as ReceiptFilter),
    ...(from === null ? {} : { received_after: new Date(from) }),
    received_before: before,
  };
}
