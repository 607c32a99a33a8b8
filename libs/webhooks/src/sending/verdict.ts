import { readRetryAfter } from '@eas/contracts';
import { addJitterMs } from '@eas/core';
import type { WebhookResult } from './transport.ts';

/** Waits before the second, third … attempt. */
export type RetryPolicy = { scheduleMs: readonly number[]; random?: () => number };

export type Verdict =
  | { kind: 'delivered' }
  | { kind: 'retry_at'; delayMs: number }
  /** Held until the endpoint recovers. */
  | { kind: 'held' }
  | { kind: 'dead'; disablesEndpoint: boolean };

const minuteMs = 60_000;

/** 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h: the setting WEBHOOK_RETRY_SCHEDULE, in seconds. */
export const defaultRetrySeconds: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** The waits get 0 to 20 % on top and are never cut. */
const jitterRatio = 0.2;
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

export function judge(result: WebhookResult, judged: Judged, policy: RetryPolicy): Verdict {
  const verdict = judgeAlone(result, judged, policy);
  const isGone = verdict.kind === 'dead' && verdict.disablesEndpoint;
  if (verdict.kind === 'delivered' || isGone) return verdict;
  const isKept = judged.isProbe || (verdict.kind === 'dead' && judged.isEndpointDown);
  return isKept ? { kind: 'held' } : verdict;
}

function judgeAlone(result: WebhookResult, { number, at: now }: Judged, { scheduleMs, random }: RetryPolicy): Verdict {
  if (result.kind === 'response') {
    if (result.status >= 200 && result.status < 300) return { kind: 'delivered' };
    if (result.status === goneStatus) return { kind: 'dead', disablesEndpoint: true };
  }
  const waitMs = scheduleMs[number - 1];
  if (waitMs === undefined) return { kind: 'dead', disablesEndpoint: false };
  const header = result.kind === 'response' ? result.headers['retry-after'] : undefined;
  const askedMs = readRetryAfter(header, now.getTime()) ?? 0;
  const pauseMs = isOverloaded(result) ? overloadedPauseMs : 0;
  return { kind: 'retry_at', delayMs: Math.max(addJitterMs(waitMs, jitterRatio, random), askedMs, pauseMs) };
}

function isOverloaded(result: WebhookResult): boolean {
  if (result.kind === 'response') return overloadedStatuses.includes(result.status);
  return overloadedReasons.includes(result.reason);
}
