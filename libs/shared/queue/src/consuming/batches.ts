import { type DbScope, type EventSizes, readEventSizes } from '@eas/db';
import type { EventConsumer } from './handlers.ts';

/**
 * Maximum size that one transaction of a consumer reads, unless a single event is larger: parsing blocks the process.
 */
const maxBatchBytes = 1024 * 1024;
/** Up to this number of events are read together without a check of their sizes. */
const fewEvents = 8;

/** Splits the events of a job into batches for one transaction each, in order. */
export async function splitBySize(
  scope: DbScope,
  { sizes }: Pick<EventConsumer, 'sizes'>,
  eventIds: readonly string[],
): Promise<string[][]> {
  if (eventIds.length <= (sizes ? 1 : fewEvents)) return [[...eventIds]];
  return groupBySize(eventIds, await (sizes ?? readEventSizes)(scope, eventIds));
}

/** Groups of at most `maxBytes`, or of a single larger event. An event without a size counts as 0. */
export function groupBySize(eventIds: readonly string[], sizes: EventSizes, maxBytes = maxBatchBytes): string[][] {
  const groups: string[][] = [];
  let capacity = 0;
  for (const eventId of eventIds) {
    const bytes = sizes.get(eventId) ?? 0;
    const last = groups.at(-1);
    if (last && bytes <= capacity) {
      last.push(eventId);
      capacity -= bytes;
    } else {
      groups.push([eventId]);
      capacity = maxBytes - bytes;
    }
  }
  return groups;
}
