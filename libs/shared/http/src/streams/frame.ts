import type { HistoryEntry } from '@eas/db';

/** An entry as it goes over the wire (text/event-stream), made once for all who read it. */
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

/** How far the stream has come, where no event says so: an event without data, which the standard has clients ignore. */
const positionText = (position: number) => `id: ${position}\n\n`;

/** Says to a client how long to wait before it comes back, and where it stands before its first event. */
export const openingText = (position: number, retryMs: number) => `retry: ${retryMs}\n${positionText(position)}`;

/**
 * Says that the stream lives. An empty line follows only where the position has moved past entries that this client does
 * not see: some clients, such as httpx-sse, report an event for each empty line.
 */
export const heartbeatText = (position: number, written: number) =>
  `: heartbeat\n${position === written ? '' : positionText(position)}`;
