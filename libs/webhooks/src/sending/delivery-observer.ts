import type { AttemptRow } from './attempt.store.ts';

/** What happens to deliveries, for metrics. Durations in ms. */
export type DeliveryObserver = {
  /** `outcome` is that of the attempt; `end` what becomes of the delivery. */
  onAttempt(seen: { outcome: string; end: AttemptRow['delivery_status']; durationMs: number }): void;
  /** From the event to the response of a receiver that took it. */
  onDelivered(latencyMs: number): void;
  /** A job found its tenant's share of the sending slots taken, and left its deliveries to a later one. */
  onPutOff(deliveries: number): void;
};

export const nobody: DeliveryObserver = { onAttempt() {}, onDelivered() {}, onPutOff() {} };
