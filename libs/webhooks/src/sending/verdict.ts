import { readRetryAfter } from '@eas/contracts';
import type { Span } from '@eas/core';
import { type Attempt, type OutboundResult, retryOrFail, type RetryPolicy, type Verdict } from '@eas/outbound';
import type { ClaimedDelivery } from '../deliveries/delivery.store.ts';

type MessageVerdict = Verdict<object, object>;

/** `held`: until the endpoint recovers. `isGone`: the receiver wants no more. */
export type DeliveryVerdict = Pick<MessageVerdict, 'outcome' | 'afterMs'> & {
  state: MessageVerdict['state'] | 'held';
  isGone?: boolean;
};

/** `span`: of the attempt, if its event is traced. */
export type DeliveryResponse = { result: OutboundResult; span: Span | undefined };

export type DeliveryAttempt = Attempt<ClaimedDelivery, DeliveryResponse, DeliveryVerdict>;

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
): DeliveryVerdict {
  const outcome = outcomeOf(result);
  if (outcome === 'delivered') return { outcome, state: 'sent' };
  const response = result.kind === 'response' ? result : undefined;
  if (response?.status === goneStatus) return { outcome, state: 'failed', isGone: true };
  const askedMs = readRetryAfter(response?.headers['retry-after'], at.getTime()) ?? 0;
  const pauseMs = isOverloaded(result) ? overloadedPauseMs : 0;
  const { state, afterMs } = retryOrFail(policy, number, outcome, Math.max(askedMs, pauseMs));
  if (isProbe || (state === 'failed' && isEndpointDown)) return { outcome, state: 'held' };
  return { outcome, state, afterMs };
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
