import { type JobRow, jobResource } from '@eas/bulk-jobs';
import { deliveryStatuses, type ReplayFilter, type ReplayResource, typesOf } from '@eas/contracts';
import { idLowerBound } from '@eas/core';

export type Replay = JobRow &
  Pick<ReplayResource, 'status' | 'total' | 'replayed'> & {
    endpointId: string;
    filter: ReplayFilter;
    maxPerSecond: number;
  };

export function replayResource(replay: Replay): ReplayResource {
  const { endpointId, filter, maxPerSecond, total, replayed } = replay;
  return jobResource(replay, { webhook_id: endpointId }, { filter, max_per_second: maxPerSecond, total, replayed });
}

/** A filter as statements take it: ids from the first to before the last, and the statuses that do not match. */
export type Selection = {
  endpointId: string;
  fromId: string;
  beforeId: string;
  types: string[] | null;
  otherStatuses: string[];
  /** Nothing but dead deliveries, which have an index. */
  isDeadOnly: boolean;
};

/** Ids have the time of the process that made them: its clock may be a little ahead. */
const clockSkewMs = 1_000;

/** Deliveries of events that come after `createdAt` are never part of it. */
export function selectionOf(endpointId: string, filter: ReplayFilter, createdAt: Date): Selection {
  const { from, to, event_types: types, statuses } = filter;
  const endMs = createdAt.getTime() + clockSkewMs;
  return {
    endpointId,
    fromId: from === null ? '' : idAt(Date.parse(from)),
    beforeId: idAt(to === null ? endMs : Math.min(Date.parse(to), endMs)),
    types: types && [...new Set(types.flatMap(typesOf))],
    otherStatuses: deliveryStatuses.filter((status) => !statuses.includes(status)),
    isDeadOnly: statuses.every((status) => status === 'dead'),
  };
}

const idAt = (ms: number) => idLowerBound('event', Math.max(0, ms));
