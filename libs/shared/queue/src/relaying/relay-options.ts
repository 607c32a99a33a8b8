import type { Logger } from '@eas/core';
import type { Database } from '@eas/db';
import type { OpenQueues } from '../backends/open-queues.ts';
import type { RelayObserver } from './relay-metrics.ts';

/** What the relay carries between, and how often it looks (ms). */
export type RelayOptions = {
  database: Database;
  queues: Pick<OpenQueues, 'send' | 'depths'>;
  logger: Logger;
  observer?: RelayObserver;
  /** Look without being woken, in ms. */
  pollMs?: number;
  /** Rows sent longer ago than that and still owed are sent again, in ms. */
  resendAfterMs?: number;
  /** Pause between looks for such rows, in ms. */
  resendEveryMs?: number;
};
