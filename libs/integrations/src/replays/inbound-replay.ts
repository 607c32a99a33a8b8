import type { InboundReplayFilter, InboundReplayResource } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import type { ReceiptFilter } from '../inbound/receipt.read-model.ts';

export type InboundReplay = {
  id: string;
  /** One of those of InboundReplayResource: the database has a constraint. */
  status: string;
  filter: InboundReplayFilter;
  maxPerSecond: number;
  total: number;
  replayed: number;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  finishedAt: Date | null;
};

export function inboundReplayResource(replay: InboundReplay): InboundReplayResource {
  return {
    id: replay.id,
    status: replay.status as InboundReplayResource['status'],
    filter: replay.filter,
    max_per_second: replay.maxPerSecond,
    total: replay.total,
    replayed: replay.replayed,
    created_by: replay.createdBy,
    created_at: formatTimestamp(replay.createdAt),
    updated_at: formatTimestamp(replay.updatedAt),
    finished_at: replay.finishedAt && formatTimestamp(replay.finishedAt),
  };
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
