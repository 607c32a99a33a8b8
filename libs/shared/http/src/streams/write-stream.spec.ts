import { EventEmitter, once } from 'node:events';
import { stat } from 'node:fs';
import { expect, it } from '@jest/globals';
import type { Feed } from './feed.ts';
import { frameOf } from './frame.ts';
import { writeStream } from './write-stream.ts';

/** A feed with one entry. */
const feed: Feed = {
  after: async (number) => (number === 0 ? [frameOf({ number: 1, type: 'a', text: 'text' })] : []),
};

/** Writes it to a client that may stall for at most 20 ms; `take` lets it read. */
function writeTo(take: (client: EventEmitter) => void) {
  const client = new EventEmitter();
  const write = (text: string) => {
    if (text.startsWith('id: 1')) take(client);
    return false;
  };
  const response = Object.assign(client, { write, writableNeedDrain: true });
  const { signal } = new AbortController();
  const times = { heartbeatMs: 60_000, stallMs: 20 };
  return writeStream(response as never, { feed, position: 0, shows: () => true, signal, onWritten() {}, ...times });
}

it('a client that reads nothing in time has stalled', async () => {
  expect(await writeTo(() => {})).toBe('stalled');
});

it('a client that read everything while the process was paused has not stalled', async () => {
  const standing = new EventEmitter();
  const writing = writeTo((client) => {
    stat(import.meta.filename, () => client.emit('drain'));
    setImmediate(() => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
      standing.emit('over');
    });
  });
  await once(standing, 'over');
  expect(await writing).toBe('ended');
});
