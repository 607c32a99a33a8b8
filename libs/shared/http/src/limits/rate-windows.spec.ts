import { eventually } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createRateWindows, type WindowState } from './rate-windows.ts';
import type { CountPoints } from './rate-windows.store.ts';

const logger = { error() {}, warn() {}, info() {}, debug() {} };

/** One window for all processes of a test, counted as the real stores count. */
function sharedStore(delayMs = 1) {
  const windows = new Map<string, number>();
  const endsAtMs = Date.now() + 60_000;
  let calls = 0;
  const count: CountPoints = async (key, points) => {
    calls += 1;
    const used = (windows.get(key) ?? 0) + points;
    windows.set(key, used);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    return { used, endsAtMs };
  };
  return { count, windows, calls: () => calls };
}

/** A window whose responses the test releases; times of its end differ by milliseconds. */
function heldStore() {
  const endsAtMs = Math.ceil(Date.now() / 1_000) * 1_000 + 60_000;
  const held: (() => void)[] = [];
  let used = 0;
  const count: CountPoints = (_key, points) =>
    new Promise((resolve) => {
      const response = () => resolve({ used: (used += points), endsAtMs: endsAtMs + (used % 2 === 0 ? 3 : -3) });
      held.push(response);
    });
  /** Counts and responds to one of those that wait; false when none does. */
  const response = (index: number) => {
    const [one] = held.splice(index, 1);
    one?.();
    return one !== undefined;
  };
  return { count, response };
}

describe('a rate window', () => {
  it('counts down call by call and refuses the first one over the limit', async () => {
    const windows = createRateWindows({ ...sharedStore(), logger });
    const states: WindowState[] = [];
    for (let call = 0; call < 62; call += 1) states.push(await windows('key_1', 60));
    expect(states.slice(0, 60).map(({ remaining }) => remaining)).toEqual(Array.from({ length: 60 }, (_, i) => 59 - i));
    expect(states.map(({ isAllowed }) => isAllowed)).toEqual([...Array(60).fill(true), false, false]);
    expect(states[0]?.resetAtSeconds).toBeGreaterThan(Date.now() / 1_000);
  });

  it('admits exactly the limit of concurrent calls', async () => {
    const windows = createRateWindows({ ...sharedStore(), logger });
    const states = await Promise.all(Array.from({ length: 100 }, async () => windows('key_1', 60)));
    expect(states.filter(({ isAllowed }) => isAllowed)).toHaveLength(60);
  });

  it('is shared by processes', async () => {
    const store = sharedStore();
    const [one, two] = [createRateWindows({ ...store, logger }), createRateWindows({ ...store, logger })];
    let allowed = 0;
    for (let call = 0; call < 60; call += 1) {
      for (const windows of [one, two]) if ((await windows('key_1', 60)).isAllowed) allowed += 1;
    }
    expect(allowed).toBeGreaterThanOrEqual(60);
    // The use by another process is known one batch later: the overrun stays small.
    expect(allowed).toBeLessThanOrEqual(63);
  });

  it('batches the points of a key far from its limit', async () => {
    const store = sharedStore();
    const windows = createRateWindows({ ...store, logger });
    await windows('key_1', 10_000);
    for (let call = 0; call < 500; call += 1) void windows('key_1', 10_000);
    await eventually(() => store.windows.get('key_1') === 501);
    expect(store.calls()).toBeLessThan(5);
  });

  it('never reports more calls left than before, nor another end of the window, in whatever order the store responds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3), { minLength: 20, maxLength: 60 }), async (turns) => {
        const store = heldStore();
        const windows = createRateWindows({ count: store.count, logger });
        const reported: WindowState[] = [];
        const calls: Promise<unknown>[] = [];
        const call = async () => void reported.push(await windows('key_1', 40, 0));
        for (const turn of turns) {
          if (turn > 1) calls.push(call());
          else store.response(turn === 0 ? 0 : -1);
          await new Promise((resolve) => setTimeout(resolve));
        }
        while (store.response(0) || reported.length < calls.length) await new Promise((resolve) => setTimeout(resolve));
        const left = reported.map(({ remaining }) => remaining);
        expect(left).toEqual(left.toSorted((a, b) => b - a));
        expect(new Set(reported.map(({ resetAtSeconds }) => resetAtSeconds)).size).toBeLessThanOrEqual(1);
        expect(reported.filter(({ isAllowed }) => isAllowed).length).toBe(Math.min(40, calls.length));
      }),
      { numRuns: 50 },
    );
  });

  it('counts from 0 in a new window, whatever it still receives of the one before', async () => {
    const responses = [
      { used: 20, endsAtMs: Date.now() + 60_000 },
      { used: 1, endsAtMs: Date.now() + 120_000 },
      { used: 20, endsAtMs: Date.now() + 60_000 },
      { used: 3, endsAtMs: Date.now() + 120_000 },
    ];
    const next = () => Promise.resolve(responses.shift() ?? { used: 4, endsAtMs: Date.now() + 120_000 });
    const windows = createRateWindows({ count: next, logger });
    const call = () => windows('key_1', 21);
    const [, , , last] = [await call(), await call(), await call(), await call()];
    expect(last).toMatchObject({ isAllowed: true });
    expect(last?.remaining).toBeGreaterThan(15);
  });

  it('counts locally while the store fails, and reports that', async () => {
    let fallbacks = 0;
    const count: CountPoints = () => Promise.reject(new Error('down'));
    const warned: string[] = [];
    const warn = (_fields: object, message: string) => void warned.push(message);
    const onFallback = () => (fallbacks += 1);
    const windows = createRateWindows({ count, logger: { ...logger, warn }, onFallback });
    const [first, other] = [windows('key_1', 20), windows('key_2', 20)];
    const states: WindowState[] = [await first];
    await other;
    for (let call = 1; call < 25; call += 1) states.push(await windows('key_1', 20));
    expect(states.filter(({ isAllowed }) => isAllowed)).toHaveLength(20);
    expect(fallbacks).toBeGreaterThan(0);
    expect(warned).toEqual(['rate limit store failed, counting in this process']);
  });
});
