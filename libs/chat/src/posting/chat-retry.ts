import { exponentialBackoffMs } from '@eas/core';
import type { RetryPolicy } from '@eas/outbound';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** After its last attempt a message has failed. */
export const chatRetry: RetryPolicy = {
  scheduleMs: [
    5 * secondMs,
    30 * secondMs,
    2 * minuteMs,
    10 * minuteMs,
    30 * minuteMs,
    hourMs,
    2 * hourMs,
    4 * hourMs,
    8 * hourMs,
  ],
};

/** One message a second and channel is what a chat takes. */
export const paceMs = secondMs;
const maxPauseMs = minuteMs;

/** How long a channel rests after this many failed posts in a row: each of its messages would meet the same. */
export const pauseAfterMs = (failures: number): number =>
  failures === 0 ? paceMs : exponentialBackoffMs(failures, 2 * secondMs, maxPauseMs);
