import type { Principal } from '@eas/contracts';
import { eventually } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createRateLimiter, type LimitState } from './rate-limit.ts';
import type { CountPoints } from './rate-limit.store.ts';

const logger = { error() {}, warn() {}, info() {}, debug() {} };
const caller = (rateLimit: number, credentialId = 'key_1'): Principal => ({
  tenantId: 'tnt_1',
  kind: 'key',
  credentialId,
  actor: { id: credentialId },
  scopes: [],
  rateLimit,
});

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

describe('the rate limiter', () => {
  it('counts down call by call and refuses the first one over the limit', async () => {
    const limiter = createRateLimiter({ ...sharedStore(), logger });
    const states: LimitState[] = [];
    for (let call = 0; call < 62; call += 1) states.push(await limiter(caller(60), 'api'));
    expect(states.slice(0, 60).map(({ remaining }) => remaining)).toEqual(Array.from({ length: 60 }, (_, i) => 59 - i));
    expect(states.map(({ isAllowed }) => isAllowed)).toEqual([...Array(60).fill(true), false, false]);
    expect(states[0]?.resetAtSeconds).toBeGreaterThan(Date.now() / 1_000);
  });

  it('admits exactly the limit of concurrent calls', async () => {
    const limiter = createRateLimiter({ ...sharedStore(), logger });
    const states = await Promise.all(Array.from({ length: 100 }, async () => limiter(caller(60), 'api')));
    expect(states.filter(({ isAllowed }) => isAllowed)).toHaveLength(60);
  });

  it('shares a window between processes', async () => {
    const store = sharedStore();
    const [one, two] = [createRateLimiter({ ...store, logger }), createRateLimiter({ ...store, logger })];
    let allowed = 0;
    for (let call = 0; call < 60; call += 1) {
      for (const limiter of [one, two]) if ((await limiter(caller(60), 'api')).isAllowed) allowed += 1;
    }
    expect(allowed).toBeGreaterThanOrEqual(60);
    // The use by another process is known one batch later: the overrun stays small.
    expect(allowed).toBeLessThanOrEqual(63);
  });

  it('batches the points of a key far from its limit', async () => {
    const store = sharedStore();
    const limiter = createRateLimiter({ ...store, logger });
    await limiter(caller(10_000), 'api');
    for (let call = 0; call < 500; call += 1) void limiter(caller(10_000), 'api');
    await eventually(() => store.windows.get('key_1') === 501);
    expect(store.calls()).toBeLessThan(5);
  });

  it('never reports more calls left than before, nor another end of the window, in whatever order the store responds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3), { minLength: 20, maxLength: 60 }), async (turns) => {
        const store = heldStore();
        const limiter = createRateLimiter({ count: store.count, logger, gatherMs: 0 });
        const reported: LimitState[] = [];
        const calls: Promise<unknown>[] = [];
        const call = async () => void reported.push(await limiter(caller(40), 'api'));
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
    const limiter = createRateLimiter({ count: next, logger });
    const counter = () => limiter(caller(21), 'api');
    const [, , , last] = [await counter(), await counter(), await counter(), await counter()];
    expect(last).toMatchObject({ isAllowed: true });
    expect(last?.remaining).toBeGreaterThan(15);
  });

  it('counts claims and lease calls separately, with a limit ten times as high', async () => {
    const limiter = createRateLimiter({ ...sharedStore(), logger });
    await limiter(caller(60), 'api');
    expect(await limiter(caller(60), 'agent')).toMatchObject({ limit: 600, remaining: 599 });
  });

  it('counts locally while the store fails, and reports that', async () => {
    let fallbacks = 0;
    const count: CountPoints = () => Promise.reject(new Error('down'));
    const warned: string[] = [];
    const warn = (_fields: object, message: string) => void warned.push(message);
    const onFallback = () => (fallbacks += 1);
    const limiter = createRateLimiter({ count, logger: { ...logger, warn }, onFallback });
    const [first, other] = [limiter(caller(20), 'api'), limiter(caller(20), 'agent')];
    const states: LimitState[] = [await first];
    await other;
    for (let call = 1; call < 25; call += 1) states.push(await limiter(caller(20), 'api'));
    expect(states.filter(({ isAllowed }) => isAllowed)).toHaveLength(20);
    expect(fallbacks).toBeGreaterThan(0);
    expect(warned).toEqual(['rate limit store failed, counting in this process']);
  });
});
