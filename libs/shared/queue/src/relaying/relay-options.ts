import type { Logger } from '@eas/core';
import type { Database } from '@eas/db';
import type { IdleWatch } from '@eas/runtime';
import type { OpenQueues } from '../backends/open-queues.ts';
import type { RelayObserver } from './relay-metrics.ts';

/** The stores that the relay connects, and its intervals in ms. */
export type RelayOptions = {
  database: Database;
  queues: Pick<OpenQueues, 'send' | 'depths'>;
  logger: Logger;
  observer?: RelayObserver;
  /** Poll interval in ms, in addition to wake-ups. */
  pollMs?: number;
  /** Polls pause while it is idle. */
  idleWatch?: IdleWatch;
  /** Pending rows that were sent longer ago than this are resent, in ms. */
  resendAfterMs?: number;
  /** Pause between searches for such rows, in ms. */
  resendEveryMs?: number;
};
