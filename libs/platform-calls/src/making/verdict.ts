import { doublingWaits, type RetryPolicy, retryWaitMs } from '@eas/outbound';
import type { PlatformFailure } from '../api/platform-response.ts';

/** What follows from a failure. `pauseMs`: nothing else is called for the integration meanwhile. */
export type Verdict =
  | { kind: 'failed'; error: string; pauseMs: number }
  | { kind: 'again'; error: string; afterMs: number; pauseMs: number; isUncounted: boolean };

/** 20 attempts in all, and 5 where the platform denies the call. */
const retryPolicy: RetryPolicy = { scheduleMs: doublingWaits(19, 5_000, 3_600_000) };
const deniedPolicy: RetryPolicy = { scheduleMs: retryPolicy.scheduleMs.slice(0, 4) };
const limitedMs = 60_000;
const deniedMs = 300_000;

/** `attempts`: this one included. `now`: Unix milliseconds. */
export function verdictOf(failure: PlatformFailure, attempts: number, now: number): Verdict {
  const { reason } = failure;
  switch (failure.kind) {
    case 'gone':
      return { kind: 'failed', error: `not found on the platform: ${reason}`, pauseMs: 0 };
    case 'refused':
      return { kind: 'failed', error: reason, pauseMs: 0 };
    case 'limited': {
      const pauseMs = Math.max(1_000, failure.retryAt === undefined ? limitedMs : failure.retryAt - now);
      return { kind: 'again', error: reason, afterMs: 0, pauseMs, isUncounted: true };
    }
    case 'denied':
      // 401 is about the token, whatever is called; 403 may be about this task.
      if (failure.status === 401)
        return { kind: 'again', error: reason, afterMs: 0, pauseMs: deniedMs, isUncounted: true };
      return retried(reason, attempts, deniedPolicy);
    case 'unavailable':
      return retried(reason, attempts, retryPolicy);
  }
}

function retried(reason: string, attempts: number, policy: RetryPolicy): Verdict {
  const afterMs = retryWaitMs(policy, attempts);
  if (afterMs === undefined)
    return { kind: 'failed', error: `gave up after ${attempts} attempts: ${reason}`, pauseMs: 0 };
  return { kind: 'again', error: reason, afterMs, pauseMs: 0, isUncounted: false };
}

/** The word for programs, as `last_error` of the integration has it. A limit is no error. */
export const errorWord: Record<PlatformFailure['kind'], string | null> = {
  gone: 'api_refused',
  refused: 'api_refused',
  denied: 'api_denied',
  limited: null,
  unavailable: 'api_unavailable',
};
