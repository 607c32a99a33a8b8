import type { ClaimedDelivery } from '../deliveries/delivery.store.ts';
import type { LatenessCause } from './delivery-observer.ts';

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
