import { readRetryAfter } from '@eas/contracts';
import { type OutboundResult, type RetryPolicy, retryWaitMs } from '@eas/outbound';

export type Verdict =
  | { kind: 'delivered' }
  | { kind: 'retry_at'; delayMs: number }
  /** Held until the endpoint recovers. */
  | { kind: 'held' }
  | { kind: 'dead'; disablesEndpoint: boolean };

export type Attempt = { number: number; startedAt: Date; result: OutboundResult; verdict: Verdict };

const minuteMs = 60_000;

/** 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h: the setting WEBHOOK_RETRY_SCHEDULE, in seconds. */
export const defaultRetrySeconds: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** A receiver that is overloaded or behind a broken gateway gets at least this pause. */
const overloadedPauseMs = minuteMs;
const overloadedStatuses = [429, 502, 504];
const overloadedReasons = ['timeout_connect', 'timeout_headers', 'timeout_body'];
const goneStatus = 410;

/** Further inputs of the decision. `number` counts the attempts of the schedule from 1. */
export type Judged = {
  number: number;
  /** The moment of the response. */
  at: Date;
  /** It tries out whether a paused endpoint has recovered. */
  isProbe?: boolean;
  /** Nothing was delivered to the endpoint since the delivery was made: the endpoint fails, not the delivery. */
  isEndpointDown?: boolean;
};

export function judge(
  result: OutboundResult,
  { number, at, isProbe, isEndpointDown }: Judged,
  policy: RetryPolicy,
): Verdict {
  const response = result.kind === 'response' ? result : undefined;
  if (response && response.status >= 200 && response.status < 300) return { kind: 'delivered' };
  if (response?.status === goneStatus) return { kind: 'dead', disablesEndpoint: true };
  const askedMs = readRetryAfter(response?.headers['retry-after'], at.getTime()) ?? 0;
  const pauseMs = isOverloaded(result) ? overloadedPauseMs : 0;
  const delayMs = retryWaitMs(policy, number, Math.max(askedMs, pauseMs));
  if (isProbe || (delayMs === undefined && isEndpointDown)) return { kind: 'held' };
  return delayMs === undefined ? { kind: 'dead', disablesEndpoint: false } : { kind: 'retry_at', delayMs };
}

function isOverloaded(result: OutboundResult): boolean {
  if (result.kind === 'response') return overloadedStatuses.includes(result.status);
  return overloadedReasons.includes(result.reason);
}

/** delivered, redirect, http_4xx, http_5xx, or the reason why there was no response. */
export function outcomeOf(result: OutboundResult): string {
  if (result.kind === 'failure') return result.reason;
  if (result.status < 300) return 'delivered';
  if (result.status < 400) return 'redirect';
  return result.status < 500 ? 'http_4xx' : 'http_5xx';
}
