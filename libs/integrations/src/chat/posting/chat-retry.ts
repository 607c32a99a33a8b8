import { addJitterMs, exponentialBackoffMs } from '@eas/core';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Waits before the second, third … attempt; after the last one the message has failed. */
const scheduleMs: readonly number[] = [
  5 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  10 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
  8 * hourMs,
];

/** One message a second and channel is what a chat takes. */
export const paceMs = secondMs;
const maxPauseMs = minuteMs;

/** When a message is tried again after this many attempts, 0 to 20 % on top; undefined: never. */
export function retryDelayMs(attempts: number, random?: () => number): number | undefined {
  const waitMs = scheduleMs[attempts - 1];
  return waitMs === undefined ? undefined : addJitterMs(waitMs, 0.2, random);
}

/** How long a channel rests after this many failed posts in a row: each of its messages would meet the same. */
export const pauseAfterMs = (failures: number): number =>
  failures === 0 ? paceMs : exponentialBackoffMs(failures, 2 * secondMs, maxPauseMs);
