import { inShares, type Logger } from '@eas/core';
import type { History, Listener } from '@eas/db';
import { startLoop } from '@eas/runtime';
import { type Frame, frameOf } from './frame.ts';

/** Maximum number of entries in one read. */
const pageSize = 100;
/** From this number of characters on a read may have been cut by its size. */
const longLength = 128 * 1_024;
/** What a feed buffers for readers that are a little behind, in characters. */
const keptLength = 256 * 1_024;

/** The only reader of a history in this process: new entries are read once, however many followers it has. */
export type Feed = {
  /** Entries after a number: at once if there are any, otherwise as soon as there are. Empty: the signal aborted. */
  after(number: number, signal: AbortSignal): Promise<Frame[]>;
};

export type Feeds = {
  /** The feed of a history; it reads until all followers have left. */
  open(history: History): { feed: Feed; leave(): void };
};

/** How feeds are woken, and how often they poll without that (ms). */
export type FeedsOptions = { listener: Listener; logger: Logger; pollMs?: number };

export function createFeeds({ listener, logger, pollMs = 15_000 }: FeedsOptions): Feeds {
  const open = new Map<string, RunningFeed & { followers: number }>();
  listener.on('stream', (key) => {
    if (key !== '') return open.get(key)?.wake();
    inShares(open.values(), (feed) => feed.wake());
  });
  return {
    open(history) {
      const { key } = history;
      const feed = open.get(key) ?? { ...startFeed(history, logger, pollMs), followers: 0 };
      open.set(key, feed);
      feed.followers += 1;
      const leave = () => {
        feed.followers -= 1;
        if (feed.followers > 0) return;
        open.delete(key);
        feed.stop();
      };
      return { feed, leave };
    },
  };
}

type RunningFeed = Feed & { wake(): void; stop(): void };

function startFeed(history: History, logger: Logger, pollMs: number): RunningFeed {
  let head = history.last;
  /** Buffer of the newest frames: all after `keptFrom`. */
  let kept: Frame[] = [];
  let keptFrom = head;
  let length = 0;
  const waiting = new Set<() => void>();
  const reads = new Map<number, Promise<Frame[]>>();

  async function readNew(signal: AbortSignal): Promise<void> {
    let isMore = true;
    while (isMore && !signal.aborted) {
      const frames = (await history.readAfter(head, pageSize)).map(frameOf);
      keep(frames);
      for (const wake of [...waiting]) wake();
      isMore = frames.length === pageSize || lengthOf(frames) > longLength;
    }
  }

  function keep(frames: readonly Frame[]): void {
    kept.push(...frames);
    head = frames.at(-1)?.number ?? head;
    length += lengthOf(frames);
    let gone = 0;
    for (; length > keptLength && gone < kept.length; gone += 1) length -= (kept[gone] as Frame).text.length;
    keptFrom = kept[gone - 1]?.number ?? keptFrom;
    kept = kept.slice(gone);
  }

  /** For followers that are behind the buffer. Followers at the same position share the read. */
  function readBack(number: number): Promise<Frame[]> {
    const shared = reads.get(number);
    if (shared) return shared;
    const read = history.readAfter(number, pageSize).then((entries) => entries.map(frameOf));
    reads.set(number, read);
    return read.finally(() => reads.delete(number));
  }

  function nextChange(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  const loop = startLoop({ name: 'feed', everyMs: pollMs, run: readNew, logger });
  return {
    async after(number, signal) {
      let at = number;
      while (!signal.aborted) {
        const found = at < keptFrom ? await readBack(at) : kept.filter((frame) => frame.number > at);
        if (found.length > 0) return found;
        // All earlier entries are gone: the follower continues with the buffer.
        if (at < keptFrom) at = keptFrom;
        else await nextChange(signal);
      }
      return [];
    },
    wake: () => loop.wake(),
    stop: () => void loop.stop(),
  };
}

const lengthOf = (frames: readonly Frame[]): number => frames.reduce((sum, { text }) => sum + text.length, 0);
