import type { Database, Listener } from '@eas/db';
import { silentLogger } from '@eas/testing';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createIdleWatch } from './idle-watch.ts';
import { type Loop, startLoop } from '@eas/runtime';

const everyMs = 100;
let stops: (() => Promise<void>)[];
beforeEach(() => {
  stops = [];
  jest.useFakeTimers();
});
afterEach(async () => {
  for (const stop of stops) await stop();
  jest.useRealTimers();
});

/** A database whose snapshot and due time the test sets, and the runs of a loop that pauses. */
function open() {
  const state = { snapshot: '1:1:', dueAt: null as Date | null, error: undefined as Error | undefined };
  let wake = () => {};
  const db = {
    query: () => (state.error ? Promise.reject(state.error) : Promise.resolve([{ ...state, now: new Date() }])),
  };
  const listener = { on: (_: string, heard: () => void) => ((wake = heard), () => {}) };
  const watch = createIdleWatch(
    { db: db as unknown as Database['db'], listener: listener as unknown as Listener },
    silentLogger,
  );
  let runs = 0;
  let run = () => Promise.resolve();
  const pause = { watch, nextDueAt: () => Promise.resolve(state.dueAt) };
  const loop: Loop = startLoop({
    name: 'sweep',
    everyMs,
    logger: silentLogger,
    run: () => ((runs += 1), run()),
    pause,
  });
  stops.push(
    () => loop.stop(),
    () => watch.stop(),
  );
  /** Runs in the time. */
  const runsIn = async (ms: number) => {
    const before = runs;
    await jest.advanceTimersByTimeAsync(ms);
    return runs - before;
  };
  return { state, runsIn, wake: () => wake(), fail: (next: () => Promise<void>) => (run = next) };
}

describe('a loop that pauses', () => {
  it('does not run while the database stays the same and nothing is due', async () => {
    const { runsIn } = open();
    expect(await runsIn(1_000)).toBeGreaterThan(5);
    await runsIn(2_000);
    expect(await runsIn(60_000)).toBe(0);
  });

  it('runs as before while something is due', async () => {
    const { state, runsIn } = open();
    state.dueAt = new Date();
    await runsIn(5_000);
    expect(await runsIn(1_000)).toBeGreaterThanOrEqual(9);
  });

  it('runs within half a second after a change, and pauses again', async () => {
    const { state, runsIn } = open();
    await runsIn(5_000);
    state.snapshot = '2:2:';
    expect(await runsIn(500)).toBeGreaterThanOrEqual(1);
    expect(await runsIn(500)).toBeGreaterThan(3);
    await runsIn(2_000);
    expect(await runsIn(60_000)).toBe(0);
  });

  it('runs at once when it is notified', async () => {
    const { runsIn, wake } = open();
    await runsIn(5_000);
    wake();
    expect(await runsIn(1)).toBe(1);
  });

  it('runs when what it waits for is due', async () => {
    const { state, runsIn } = open();
    state.dueAt = new Date(Date.now() + 30_000);
    await runsIn(5_000);
    expect(await runsIn(24_900)).toBe(0);
    expect(await runsIn(600)).toBeGreaterThanOrEqual(1);
  });

  it('does not pause after a run that failed', async () => {
    const { runsIn, fail } = open();
    fail(() => Promise.reject(new Error('away')));
    await runsIn(5_000);
    expect(await runsIn(1_000)).toBeGreaterThanOrEqual(9);
  });

  it('runs while the database does not respond', async () => {
    const { state, runsIn } = open();
    await runsIn(5_000);
    state.error = new Error('away');
    await runsIn(500);
    expect(await runsIn(5_000)).toBeGreaterThan(40);
  });
});
