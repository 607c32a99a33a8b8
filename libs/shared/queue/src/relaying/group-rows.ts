import { type Consumer, maxEventsPerJob, type Send } from '@eas/contracts';
import type { PendingRow } from './outbox.sweeper.ts';

/** One job per consumer and tenant for each 500 events, ids in order. `isAgain`: the rows were sent before. */
export function groupRows(
  rows: readonly Pick<PendingRow, 'tenantId' | 'eventId' | 'consumer'>[],
  { isAgain = false }: { isAgain?: boolean } = {},
): Send[] {
  const groups = new Map<string, { job: Consumer; tenantId: string; eventIds: string[] }>();
  for (const { tenantId, eventId, consumer } of rows) {
    const key = `${consumer} ${tenantId}`;
    const group = groups.get(key);
    if (group) group.eventIds.push(eventId);
    else groups.set(key, { job: consumer, tenantId, eventIds: [eventId] });
  }
  return [...groups.values()].flatMap(({ job, tenantId, eventIds }) => {
    eventIds.sort();
    const sends: Send[] = [];
    for (let start = 0; start < eventIds.length; start += maxEventsPerJob) {
      const batch = { tenant_id: tenantId, event_ids: eventIds.slice(start, start + maxEventsPerJob) };
      sends.push({ job, payload: isAgain ? { ...batch, is_again: true } : batch } as Send);
    }
    return sends;
  });
}
