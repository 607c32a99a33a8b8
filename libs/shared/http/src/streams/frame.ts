import type { HistoryEntry } from '@eas/db';

/** An entry in the wire format (text/event-stream), created once for all readers. */
export type Frame = { number: number; type: string; text: string };

const lineBreak = /\r\n|\r|\n/;

/** The fields `id`, `event` and `data`, and the empty line that ends an event. */
export function frameOf({ number, type, text }: HistoryEntry): Frame {
  const data = text
    .split(lineBreak)
    .map((line) => `data: ${line}\n`)
    .join('');
  return { number, type, text: `id: ${number}\nevent: ${type}\n${data}\n` };
}

/** The position of the stream without an event: an event without data, which clients ignore by the standard. */
const positionText = (position: number) => `id: ${position}\n\n`;

/** Tells a client how long to wait before it reconnects, and its position before the first event. */
export const openingText = (position: number, retryMs: number) => `retry: ${retryMs}\n${positionText(position)}`;

/**
 * A heartbeat. An empty line follows only if the position has moved past entries that this client does not see: some
 * clients, such as httpx-sse, report an event for each empty line.
 */
export const heartbeatText = (position: number, written: number) =>
  `: heartbeat\n${position === written ? '' : positionText(position)}`;
