import { type DbScope, type EventSizes, readEventSizes } from '@eas/db';
import type { EventConsumer } from './handlers.ts';

/** What one transaction of a consumer reads at most, unless a single event is larger: parsing it holds the process. */
const maxBatchBytes = 1024 * 1024;
/** So few events of the usual kind are read together without looking at their sizes. */
const fewEvents = 8;

/** The events of a job as batches that one transaction may take together, in order. */
export async function splitBySize(
  scope: DbScope,
  { sizes }: Pick<EventConsumer, 'sizes'>,
  eventIds: readonly string[],
): Promise<string[][]> {
  if (eventIds.length <= (sizes ? 1 : fewEvents)) return [[...eventIds]];
  return groupBySize(eventIds, await (sizes ?? readEventSizes)(scope, eventIds));
}

/** Groups of at most `maxBytes` each, or of one that is larger. What has no size counts as nothing. */
export function groupBySize(eventIds: readonly string[], sizes: EventSizes, maxBytes = maxBatchBytes): string[][] {
  const groups: string[][] = [];
  let room = 0;
  for (const eventId of eventIds) {
    const bytes = sizes.get(eventId) ?? 0;
    const last = groups.at(-1);
    if (last && bytes <= room) {
      last.push(eventId);
      room -= bytes;
    } else {
      groups.push([eventId]);
      room = maxBytes - bytes;
    }
  }
  return groups;
}
