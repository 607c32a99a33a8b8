import type { ServerResponse } from 'node:http';
import type { Feed } from './feed.ts';
import { heartbeatText, openingText } from './frame.ts';

export type StreamWriting = {
  feed: Feed;
  position: number;
  /** Entries of other types are skipped. */
  shows: (type: string) => boolean;
  signal: AbortSignal;
  heartbeatMs: number;
  /** A client that reads nothing for this time is cut. */
  stallMs: number;
  onWritten: () => void;
};

/** Clients that lose their connection together reconnect at different times. */
const retryMs = () => 1_000 + Math.floor(Math.random() * 2_000);

/** Writes the feed, as fast as the client reads, until the signal aborts. Resolves with the reason of the end. */
export async function writeStream(response: ServerResponse, writing: StreamWriting): Promise<'ended' | 'stalled'> {
  const { feed, shows, signal, heartbeatMs, stallMs, onWritten } = writing;
  let { position } = writing;
  /** The last position that the client was sent. */
  let written = position;
  response.write(openingText(position, retryMs()));
  // A client that does not read gets no heartbeats either: they would only pile up.
  const heartbeat = setInterval(() => {
    if (response.writableNeedDrain) return;
    response.write(heartbeatText(position, written));
    written = position;
  }, heartbeatMs);
  try {
    for (;;) {
      const frames = await feed.after(position, signal);
      if (frames.length === 0) return 'ended';
      for (const { number, type, text } of frames) {
        if (signal.aborted) return 'ended';
        position = number;
        if (!shows(type)) continue;
        const isTaken = response.write(text);
        written = number;
        onWritten();
        if (!isTaken && !(await isDrained(response, stallMs, signal))) return signal.aborted ? 'ended' : 'stalled';
      }
    }
  } finally {
    clearInterval(heartbeat);
  }
}

/** Waits until the client has read what was written. False: it did not in time, or waiting was aborted. */
function isDrained(response: ServerResponse, stallMs: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (outcome: boolean) => {
      clearTimeout(timer);
      response.off('drain', onDrain);
      signal.removeEventListener('abort', onAbort);
      resolve(outcome);
    };
    const onDrain = () => settle(true);
    const onAbort = () => settle(false);
    // After a pause of the process the drain event arrives in the same tick, but after the timers.
    const timer = setTimeout(setImmediate, stallMs, onAbort);
    response.once('drain', onDrain);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
