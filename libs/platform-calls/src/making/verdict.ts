import { doublingWaits, type RetryPolicy, retryOrFail, type Verdict } from '@eas/outbound';
import type { PlatformFailure } from '../api/platform-response.ts';
import type { PlatformApi, PlatformCall } from '../calls/call-tables.ts';

/** What follows from a failure; its `pauseMs` holds for all calls of the integration. */
type FailureVerdict = Omit<Verdict<PlatformApi, PlatformCall>, 'outcome'> & { pauseMs: number };

/** 20 attempts in all, and 5 where the platform denies the call. */
const retryPolicy: RetryPolicy = { scheduleMs: doublingWaits(19, 5_000, 3_600_000) };
const deniedPolicy: RetryPolicy = { scheduleMs: retryPolicy.scheduleMs.slice(0, 4) };
const limitedMs = 60_000;
const deniedMs = 300_000;

/** `attempts`: this one included. `now`: Unix milliseconds. */
export function verdictOf(failure: PlatformFailure, attempts: number, now: number): FailureVerdict {
  const { reason } = failure;
  switch (failure.kind) {
    case 'gone':
      return { state: 'failed', error: `not found on the platform: ${reason}`, pauseMs: 0 };
    case 'refused':
      return { state: 'failed', error: reason, pauseMs: 0 };
    case 'limited': {
      const pauseMs = Math.max(1_000, failure.retryAt === undefined ? limitedMs : failure.retryAt - now);
      return { state: 'waiting', error: reason, afterMs: 0, pauseMs, isUncounted: true };
    }
    case 'denied':
      // 401 is about the token, whatever is called; 403 may be about this task.
      if (failure.status === 401)
        return { state: 'waiting', error: reason, afterMs: 0, pauseMs: deniedMs, isUncounted: true };
      return retried(reason, attempts, deniedPolicy);
    case 'unavailable':
      return retried(reason, attempts, retryPolicy);
  }
}

function retried(reason: string, attempts: number, policy: RetryPolicy): FailureVerdict {
  const verdict = retryOrFail(policy, attempts, reason);
  const error = verdict.state === 'failed' ? `gave up after ${attempts} attempts: ${reason}` : reason;
  return { ...verdict, error, pauseMs: 0 };
}

/** The word for programs, as `last_error` of the integration has it. A limit is no error. */
export const errorWord: Record<PlatformFailure['kind'], string | null> = {
  gone: 'api_refused',
  refused: 'api_refused',
  denied: 'api_denied',
  limited: null,
  unavailable: 'api_unavailable',
};
