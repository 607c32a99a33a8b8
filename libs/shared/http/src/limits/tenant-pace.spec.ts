import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { tooMany } from './rate-limit.ts';
import { createTenantPace, withTenantPace } from './tenant-pace.ts';

const state = { limit: 100, remaining: 50, resetAtSeconds: 0, isAllowed: true };
const caller = (tenantId = 'tnt_1') => ({ tenantId, credentialId: 'key_1', rateLimit: 100 });

/** One call per second, on timers that the test moves. */
function scene(maxWaitMs = 5_000, own = state) {
  jest.useFakeTimers();
  const heldBack: string[] = [];
  const pace = createTenantPace({ perMinute: 60, maxWaitMs, onHeldBack: (outcome) => void heldBack.push(outcome) });
  return { pace, limit: withTenantPace(() => own, pace), heldBack };
}

afterEach(() => void jest.useRealTimers());

describe('the pace of a tenant', () => {
  it('admits a call within it at once', () => {
    expect(scene().limit(caller(), 'api')).toBe(state);
  });

  it('lets a call over it wait for its turn, and no call of others', async () => {
    const { limit, heldBack } = scene();
    void limit(caller(), 'api');
    let isThrough = false;
    const second = Promise.resolve(limit(caller(), 'api')).then(() => (isThrough = true));
    expect(limit(caller('tnt_2'), 'api')).toBe(state);
    await jest.advanceTimersByTimeAsync(990);
    expect(isThrough).toBe(false);
    await jest.advanceTimersByTimeAsync(70);
    await second;
    expect(heldBack).toEqual(['waited']);
  });

  it('admits the calls of 50 ms together, so that they share transactions', () => {
    jest.useFakeTimers();
    const pace = createTenantPace({ perMinute: 6_000 });
    const waits = Array.from({ length: 65 }, () => pace.take(caller(), 'api')).filter((ms) => ms > 0);
    expect(waits.length).toBeGreaterThan(30);
    const turns = new Set(waits.map((ms) => Math.round((performance.now() + ms) / 50)));
    expect(turns.size).toBeLessThanOrEqual(10);
  });

  it('is ten times as fast for claims and lease calls', async () => {
    const { limit } = scene();
    const calls = Array.from({ length: 12 }, async () => limit(caller(), 'agent'));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await Promise.all(calls)).toEqual(Array(12).fill(state));
  });

  it('admits the calls of a quarter of a second at once', () => {
    jest.useFakeTimers();
    const pace = createTenantPace({ perMinute: 2_400 });
    const waits = Array.from({ length: 12 }, () => pace.take(caller(), 'api'));
    expect(waits.filter((ms) => ms === 0)).toHaveLength(10);
  });

  it('applies to refused calls too', () => {
    const refused = { ...state, isAllowed: false };
    const { limit } = scene(5_000, refused);
    expect(limit(caller(), 'api')).toBe(refused);
    expect(limit(caller(), 'api')).toBeInstanceOf(Promise);
  });

  it('refuses a call whose turn is too far away, but only after a wait', async () => {
    const { limit, heldBack } = scene(1_500);
    const calls = Array.from({ length: 4 }, async () => limit(caller(), 'api'));
    let isRefused = false;
    void calls[3]?.then(() => (isRefused = true));
    await jest.advanceTimersByTimeAsync(1_499);
    expect(isRefused).toBe(false);
    await jest.advanceTimersByTimeAsync(1_501);
    const states = await Promise.all(calls);
    expect(states.map(({ isAllowed }) => isAllowed)).toEqual([true, true, true, false]);
    expect(heldBack).toEqual(['waited', 'waited', 'refused']);
    const refusal = tooMany('requests', states[3] as typeof state);
    expect(refusal).toMatchObject({ code: 'rate_limited', headers: { 'Retry-After': '5' } });
    expect(refusal.message).toBe('Too many requests of the tenant are waiting. Send fewer requests at a time.');
  });

  it('counts large responses, and long reads of the database, as several calls', async () => {
    const { limit, pace } = scene();
    pace.charge(caller(), 'api', { bytes: 65_535, databaseMs: 49 });
    expect(limit(caller(), 'api')).toBe(state);
    pace.charge(caller('tnt_2'), 'api', { bytes: 3 * 65_536 });
    expect(limit(caller('tnt_2'), 'api')).toBeInstanceOf(Promise);
    pace.charge(caller('tnt_3'), 'api', { databaseMs: 150 });
    expect(limit(caller('tnt_3'), 'api')).toBeInstanceOf(Promise);
  });
});
