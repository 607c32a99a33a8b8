import { addJitterMs, exponentialBackoffMs } from '@eas/core';

/** Waits before the second, third … attempt; what fails after the last of them is not tried again. */
export type RetryPolicy = { scheduleMs: readonly number[]; random?: () => number };

/** The waits get 0 to 20 % on top and are never cut. */
const jitterRatio = 0.2;

/** A schedule of `count` waits, each twice as long as the one before, up to `longestMs`. */
export const doublingWaits = (count: number, firstMs: number, longestMs: number): number[] =>
  Array.from({ length: count }, (_, index) => exponentialBackoffMs(index + 1, firstMs, longestMs));

/** How long to wait after this number of attempts, and at least what the receiver asks for. Undefined: no more attempts. */
export function retryWaitMs({ scheduleMs, random }: RetryPolicy, attempts: number, atLeastMs = 0): number | undefined {
  const waitMs = scheduleMs[attempts - 1];
  return waitMs === undefined ? undefined : Math.max(addJitterMs(waitMs, jitterRatio, random), atLeastMs);
}

/** What becomes of a message after this number of attempts: it is due again, or has failed. */
export function retryOrFail(policy: RetryPolicy, attempts: number, error: string, atLeastMs = 0) {
  const afterMs = retryWaitMs(policy, attempts, atLeastMs);
  return afterMs === undefined
    ? ({ state: 'failed', error } as const)
    : ({ state: 'waiting', error, afterMs } as const);
}
