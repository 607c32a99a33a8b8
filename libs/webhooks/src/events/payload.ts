import { formatTimestamp } from '@eas/core';

/** What a delivery needs of its event. `dataText` is the JSON text as it was stored. */
export type EventText = { eventId: string; eventType: string; occurredAt: Date; dataText: string };

/** The body of a delivery. The same event gives the same bytes at every attempt: `data` is never serialised again. */
export function payloadBytes({ eventId, eventType, occurredAt, dataText }: EventText): Buffer {
  const [type, id, timestamp] = [eventType, eventId, formatTimestamp(occurredAt)].map((text) => JSON.stringify(text));
  return Buffer.from(`{"event_type":${type},"event_id":${id},"timestamp":${timestamp},"data":${dataText}}`);
}
