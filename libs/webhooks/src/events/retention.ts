import type { UseCaseContext } from '@eas/db';

const dayMs = 86_400_000;

/** Events and deliveries of an earlier time may be gone: the shorter limit counts. Undefined when both stay for ever. */
export function keptSince({ retention, clock }: Pick<UseCaseContext, 'retention' | 'clock'>): Date | undefined {
  const limits = [retention.eventDays, retention.deliveryDays].filter((days) => days > 0);
  return limits.length === 0 ? undefined : new Date(clock.now().getTime() - Math.min(...limits) * dayMs);
}
