import { AppError } from '@eas/core';
import type { Headers } from './headers.ts';

const isNumber = /^\d{1,15}$/;

/** Last-Event-ID, which a returning client sets by itself, else last_event_id. Throws invalid_request for no number. */
export function readLastEventId(headers: Headers, query: object): number | undefined {
  const sent = headers['last-event-id'];
  if (sent === undefined || sent === '') return (query as { last_event_id?: number }).last_event_id;
  if (typeof sent === 'string' && isNumber.test(sent)) return Number(sent);
  const message = 'Last-Event-ID must be the id of an event of this stream.';
  throw new AppError('invalid_request', { field: 'Last-Event-ID', constraint: 'format', message });
}

/** Where a stream begins. Throws invalid_request for a number that does not exist yet. */
export function positionOf(
  { history: { last }, from }: { history: { last: number }; from: 'beginning' | 'now' },
  lastEventId: number | undefined,
): number {
  if (lastEventId === undefined) return from === 'now' ? last : 0;
  if (lastEventId <= last) return lastEventId;
  const message = `Last-Event-ID must be at most ${last}, the id of the newest event.`;
  throw new AppError('invalid_request', { field: 'Last-Event-ID', constraint: 'max', message });
}
