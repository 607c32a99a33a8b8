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

/** Says to a client how long to wait before it comes back, and where it stands before its first event. */
export const openingText = (position: number, retryMs: number) => `retry: ${retryMs}\nid: ${position}\n\n`;

/** Says that the stream lives, and how far it has come: also past entries that this client does not see. */
export const heartbeatText = (position: number) => `: heartbeat\nid: ${position}\n\n`;
