import type { Logger } from '@eas/core';
import type { History, Listener } from '@eas/db';
import { createFeeds, type Feeds } from './feed.ts';
import { createStreamSlots, type StreamLimits, type StreamSlots } from './stream-slots.ts';

export type StreamSource = {
  history: History;
  /** Default start of a client: the first entry, or only new ones. */
  from: 'beginning' | 'now';
  /** Entries of other types are skipped; all are shown by default. */
  shows?: (type: string) => boolean;
  /** Throws when the caller may no longer follow it, although its credential is valid. */
  recheck?: () => Promise<void>;
};

export type StreamEnd = 'client left' | 'client stalled' | 'access ended' | 'shutdown' | 'failed';

type StreamObserver = {
  onOpened(route: string): void;
  onWritten(): void;
  onEnded(route: string, end: StreamEnd): void;
};

/** Options of streams; times in ms. */
export type StreamsOptions = {
  listener: Listener;
  logger: Logger;
  closing: AbortSignal;
  observer?: StreamObserver;
  limits?: StreamLimits;
  /** Poll interval of histories without a wake-up; 15 s. */
  pollMs?: number;
  /** 15 s. */
  heartbeatMs?: number;
  /** A client that reads nothing for this time is cut; 30 s. */
  stallMs?: number;
  /** Interval for rechecking the credentials of open streams; 5 s. */
  recheckMs?: number;
};

export type Streams = {
  feeds: Feeds;
  slots: StreamSlots;
  closing: AbortSignal;
  observer: StreamObserver;
  heartbeatMs: number;
  stallMs: number;
  recheckMs: number;
};

const noObserver: StreamObserver = { onOpened() {}, onWritten() {}, onEnded() {} };

/** Streams of this process: 10 for a credential, 200 for a tenant and 1,000 in all, unless said otherwise. */
export function createStreams({ listener, logger, closing, pollMs = 15_000, ...options }: StreamsOptions): Streams {
  const { observer = noObserver, limits = {} } = options;
  const { heartbeatMs = 15_000, stallMs = 30_000, recheckMs = 5_000 } = options;
  const feeds = createFeeds({ listener, logger, pollMs });
  return { feeds, slots: createStreamSlots(limits), closing, observer, heartbeatMs, stallMs, recheckMs };
}
