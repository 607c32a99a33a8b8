import { deliveryStatuses, type ReplayFilter, type ReplayResource, typesOf } from '@eas/contracts';
import { formatTimestamp, idLowerBound } from '@eas/core';

export type Replay = {
  id: string;
  endpointId: string;
  /** One of those of ReplayResource: the database has a constraint. */
  status: string;
  filter: ReplayFilter;
  maxPerSecond: number;
  total: number;
  replayed: number;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  finishedAt: Date | null;
};

export function replayResource(replay: Replay): ReplayResource {
  return {
    id: replay.id,
    webhook_id: replay.endpointId,
    status: replay.status as ReplayResource['status'],
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
