import { setTimeout as delay } from 'node:timers/promises';
import type { History, HistoryEntry, Listener } from '@eas/db';
import { eventually } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { createFeeds } from './feed.ts';
import type { Frame } from './frame.ts';

const logger = { error() {}, warn() {}, info() {}, debug() {} };
const never = new AbortController().signal;

/** A history in memory that counts its reads, and the listener that wakes its feed. */
function scene(options: { text?: string; most?: number } = {}) {
  const entries: HistoryEntry[] = [];
  const reads: number[] = [];
  let underWay = 0;
  let wakeFeeds = (_key: string) => {};
  const listener = {
    on: (_channel: string, wake: (key: string) => void) => ((wakeFeeds = wake), () => {}),
  } as unknown as Listener;
  const feeds = createFeeds({ listener, logger, pollMs: 60_000 });
  const history = (): History => ({
    key: 'a',
    last: entries.at(-1)?.number ?? 0,
    readAfter: async (number, limit) => {
      reads.push(number);
      underWay += 1;
      await delay(1);
      underWay -= 1;
      return entries.filter((entry) => entry.number > number).slice(0, Math.min(limit, options.most ?? limit));
    },
  });
  /** The feed has started and is idle. */
  const rests = () => eventually(() => reads.length > 0 && underWay === 0);
  const add = (...numbers: number[]) =>
    void entries.push(...numbers.map((number) => ({ number, type: 't', text: options.text ?? '{}' })));
  const dropUpTo = (number: number) =>
    void entries.splice(
      0,
      entries.findIndex((entry) => entry.number > number),
    );
  return { feeds, history, reads, rests, add, dropUpTo, wake: (key = 'a') => wakeFeeds(key) };
}

const numbersOf = (frames: readonly Frame[]) => frames.map(({ number }) => number);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('a feed', () => {
  it('reads new entries once, however many followers it has', async () => {
    const { feeds, history, reads, rests, add, wake } = scene();
    const followers = upTo(50).map(() => feeds.open(history()));
    await rests();
    reads.length = 0;
    const waiting = Promise.all(followers.map(({ feed }) => feed.after(0, never)));
    add(1, 2);
    wake();
    for (const frames of await waiting) expect(numbersOf(frames)).toEqual([1, 2]);
    expect(reads).toEqual([0]);
    for (const { leave } of followers) leave();
  });

  it('returns all entries to a follower that is far behind, page by page, without a gap', async () => {
    const { feeds, history, add, wake } = scene();
    add(...upTo(250));
    const { feed, leave } = feeds.open(history());
    const seen: number[] = [];
    while (seen.length < 250) seen.push(...numbersOf(await feed.after(seen.at(-1) ?? 0, never)));
    const next = feed.after(250, never);
    add(251);
    wake();
    expect(numbersOf(await next)).toEqual([251]);
    expect(seen).toEqual(upTo(250));
    leave();
  });

  it('continues to read at once when a read was cut by its size', async () => {
    const { feeds, history, reads, rests, add, wake } = scene({ text: 'x'.repeat(50_000), most: 3 });
    const { feed, leave } = feeds.open(history());
    await rests();
    add(...upTo(8));
    const seen = [...numbersOf(await feed.after(0, (wake(), never)))];
    while (seen.length < 8) seen.push(...numbersOf(await feed.after(seen.at(-1) ?? 0, never)));
    expect(seen).toEqual(upTo(8));
    await eventually(() => reads.includes(6));
    leave();
  });

  it('continues with the buffered entries when all earlier ones are gone', async () => {
    const { feeds, history, add, dropUpTo, wake } = scene();
    add(...upTo(20));
    const { feed, leave } = feeds.open(history());
    dropUpTo(19);
    expect(numbersOf(await feed.after(3, never))).toEqual([20]);
    const next = feed.after(20, never);
    add(23);
    wake('');
    expect(numbersOf(await next)).toEqual([23]);
    leave();
  });

  it('buffers little in memory, and a slow follower still misses nothing', async () => {
    const { feeds, history, reads, rests, add, wake } = scene({ text: 'x'.repeat(100_000) });
    const { feed, leave } = feeds.open(history());
    await rests();
    for (const number of upTo(10)) {
      const came = feed.after(number - 1, never);
      add(number);
      wake();
      expect(numbersOf(await came)).toEqual([number]);
    }
    reads.length = 0;
    expect(numbersOf(await feed.after(9, never))).toEqual([10]);
    expect(reads).toEqual([]);
    expect(numbersOf(await feed.after(0, never))).toEqual(upTo(10));
    expect(reads).toEqual([0]);
    leave();
  });

  it('releases waiting followers when the signal aborts, and stops reading when all have left', async () => {
    const { feeds, history, reads, rests, add, wake } = scene();
    const { feed, leave } = feeds.open(history());
    const controller = new AbortController();
    const waiting = feed.after(0, controller.signal);
    controller.abort();
    expect(await waiting).toEqual([]);
    await rests();
    leave();
    reads.length = 0;
    add(1);
    wake();
    await delay(10);
    expect(reads).toEqual([]);
  });

  it('writes a text of several lines so that a client puts it together again', async () => {
    const { feeds, history, add, wake } = scene({ text: '{\n"a":1}' });
    const { feed, leave } = feeds.open(history());
    const came = feed.after(0, never);
    add(1);
    wake();
    expect((await came)[0]?.text).toBe('id: 1\nevent: t\ndata: {\ndata: "a":1}\n\n');
    leave();
  });
});
