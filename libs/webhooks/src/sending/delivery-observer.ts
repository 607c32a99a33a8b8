import type { ClaimedDelivery } from '../deliveries/delivery.store.ts';
import type { AttemptRow } from './attempt.store.ts';

/**
 * tenant_share: its tenant's share of the sending slots is used up; endpoint_slow: the receiver is slow and has its
 * maximum number of running jobs; rate_limit: the endpoint's own cap; paused: held until the endpoint recovers.
 */
export type PutOffReason = 'tenant_share' | 'endpoint_slow' | 'rate_limit' | 'paused';

/** Why an attempt starts late: it waited for its turn, as a first attempt or a retry, or it was postponed. */
export type LatenessCause = 'queue' | 'retry' | 'rate_limit' | 'ordering' | 'paused';

/** What happens to deliveries, for metrics. Durations in ms. */
export type DeliveryObserver = {
  /** `outcome` is that of the attempt; `end` is the final state of the delivery, if any. */
  onAttempt(seen: { tenantId: string; outcome: string; end: AttemptRow['delivery_status']; durationMs: number }): void;
  /** How late an attempt starts. */
  onStart(cause: LatenessCause, lateMs: number): void;
  /** From the event to the response of a receiver that took it. */
  onDelivered(latencyMs: number): void;
  /** A job left deliveries to a later one. */
  onPutOff(deliveries: number, reason: PutOffReason): void;
};

const putOffCauses: Readonly<Record<string, LatenessCause>> = {
  throttled: 'rate_limit',
  ordered: 'ordering',
  recovered: 'paused',
};

/**
 * How late an attempt starts, in ms. A delivery that was postponed before its first attempt was due when it was
 * created.
 */
export function latenessOf(
  { attempts, createdAt, dueAt, reason }: Pick<ClaimedDelivery, 'attempts' | 'createdAt' | 'dueAt' | 'reason'>,
  startedAt: Date,
): { cause: LatenessCause; lateMs: number } {
  const putOff = putOffCauses[reason ?? ''];
  const since = putOff && attempts === 0 ? createdAt : dueAt;
  const cause = putOff ?? (attempts === 0 ? 'queue' : 'retry');
  return { cause, lateMs: Math.max(0, startedAt.getTime() - since.getTime()) };
}
