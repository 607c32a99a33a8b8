import { type Scope, typesToRead } from '@eas/contracts';
import type { History, UseCaseContext } from '@eas/db';
import { payloadBytes } from './payload.ts';
import { eventsAfter, lastEventNumber } from './event-number.read-model.ts';

/** The tenant's events by their numbers, and which of them somebody with the scopes may read. */
export async function followEvents(
  { db, tenantId }: UseCaseContext,
  scopes: readonly Scope[],
): Promise<{ history: History; shows: (type: string) => boolean }> {
  const scope = { db, tenantId };
  const types = new Set(typesToRead(scopes));
  const readAfter: History['readAfter'] = async (number, limit) =>
    (await eventsAfter(scope, number, limit)).map((event) => ({
      number: event.number,
      type: event.eventType,
      text: payloadBytes(event).toString(),
    }));
  return {
    history: { key: tenantId, last: await lastEventNumber(scope), readAfter },
    shows: (type) => types.has(type),
  };
}
