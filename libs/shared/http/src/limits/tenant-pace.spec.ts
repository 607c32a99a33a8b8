import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createCallBudget } from './call-budget.ts';
import { createTenantPace } from './tenant-pace.ts';

const logger = { error() {}, warn() {}, info() {}, debug() {} };
const caller = (tenantId = 'tnt_1', rateLimit = 100) => ({ tenantId, credentialId: `key_of_${tenantId}`, rateLimit });

/** A budget with one call per second of a tenant, on timers that the test moves. */
function scene(maxWaitMs = 5_000) {
  jest.useFakeTimers();
  const used = new Map<string, number>();
  const count = async (key: string, points: number) => {
    used.set(key, (used.get(key) ?? 0) + points);
    return { used: used.get(key) ?? 0, endsAtMs: Date.now() + 60_000 };
  };
  const heldBack: string[] = [];
  const onHeldBack = (outcome: string) => void heldBack.push(outcome);
  const budget = createCallBudget({ count, logger, perTenant: 60, failedLookUps: 1, maxWaitMs, onHeldBack });
  return { ...budget, heldBack };
}

/** The times at which calls at the pace begin, on timers that the test moves. */
async function beginsOf(perMinute: number, calls: number): Promise<number[]> {
  jest.useFakeTimers();
  const pace = createTenantPace({ perMinute });
  const begins = Array.from({ length: calls }, async () => {
    await pace.wait(caller(), 'api');
    return performance.now();
  });
  await jest.advanceTimersByTimeAsync(10_000);
  return Promise.all(begins);
}

afterEach(() => void jest.useRealTimers());

describe('the pace of a tenant', () => {
  it('admits a call within it at once', async () => {
    const { take, heldBack } = scene();
    await take(caller(), 'api');
    expect(heldBack).toEqual([]);
  });

  it('is that of the tenant where it has a rate of its own, and so is its window', async () => {
    const { take } = scene();
    const tenant = { suspendedReason: null, rateLimit: 120, limits: {} };
    const own = { ...caller('tnt_1', 1_000), tenant };
    const begins = Array.from({ length: 3 }, () => take(own, 'api').then(() => performance.now()));
    const startMs = performance.now();
    await jest.advanceTimersByTimeAsync(5_000);
    expect((await Promise.all(begins)).map((at) => Math.round((at - startMs) / 100) / 10)).toEqual([0, 0.5, 1]);
    // The window of all its callers, a minute later: as many calls as its own rate has.
    await jest.advanceTimersByTimeAsync(60_000);
    const { refusal } = await take({ ...own, tenant: { ...tenant, rateLimit: 2 } }, 'api');
    expect(refusal?.message).toContain('2 requests');
  });

  it('lets a call over it wait for its turn, and no call of others', async () => {
    const { take, heldBack } = scene();
    await take(caller(), 'api');
    let isThrough = false;
    const second = take(caller(), 'api').then(() => (isThrough = true));
    await take(caller('tnt_2'), 'api');
    await jest.advanceTimersByTimeAsync(990);
    expect(isThrough).toBe(false);
    await jest.advanceTimersByTimeAsync(70);
    await second;
    expect(heldBack).toEqual(['waited']);
  });

  it('admits the calls of 50 ms together, so that they share transactions', async () => {
    jest.useFakeTimers();
    const startMs = performance.now();
    const begins = await beginsOf(6_000, 65);
    const waited = begins.filter((at) => at > startMs);
    expect(waited.length).toBeGreaterThan(30);
    expect(new Set(waited.map((at) => Math.round(at / 50))).size).toBeLessThanOrEqual(10);
  });

  it('is ten times as fast for claims and lease calls', async () => {
    const { take } = scene();
    const calls = Array.from({ length: 12 }, async () => take(caller(), 'agent'));
    await jest.advanceTimersByTimeAsync(1_000);
    for (const state of await Promise.all(calls)) expect(state.refusal).toBeUndefined();
  });

  it('admits the calls of a quarter of a second at once', async () => {
    const [first, ...later] = await beginsOf(2_400, 12);
    expect(later.filter((at) => at === first)).toHaveLength(9);
  });

  it('applies to refused calls too', async () => {
    const { take, heldBack } = scene();
    expect(await take(caller('tnt_1', 0), 'api')).toMatchObject({ refusal: { code: 'rate_limited' } });
    void take(caller('tnt_1', 0), 'api');
    expect(heldBack).toEqual(['waited']);
  });

  it('refuses a call whose turn is too far away, but only after a wait', async () => {
    const { take, heldBack } = scene(1_500);
    const calls = Array.from({ length: 4 }, async () => take(caller(), 'api'));
    let isRefused = false;
    void calls[3]?.then(() => (isRefused = true));
    await jest.advanceTimersByTimeAsync(1_499);
    expect(isRefused).toBe(false);
    await jest.advanceTimersByTimeAsync(1_501);
    const refusals = (await Promise.all(calls)).map(({ refusal }) => refusal);
    expect(refusals.slice(0, 3)).toEqual([undefined, undefined, undefined]);
    expect(heldBack).toEqual(['waited', 'waited', 'refused']);
    expect(refusals[3]).toMatchObject({ code: 'rate_limited', headers: { 'Retry-After': '5' } });
    expect(refusals[3]?.message).toBe('Too many requests of the tenant are waiting. Send fewer requests at a time.');
  });

  it('counts large responses, and long reads of the database, as several calls', async () => {
    const { take, charge, heldBack } = scene();
    charge(caller(), 'api', { bytes: 65_535, databaseMs: 49 });
    await take(caller(), 'api');
    expect(heldBack).toEqual([]);
    charge(caller('tnt_2'), 'api', { bytes: 3 * 65_536 });
    void take(caller('tnt_2'), 'api');
    charge(caller('tnt_3'), 'api', { databaseMs: 150 });
    void take(caller('tnt_3'), 'api');
    expect(heldBack).toEqual(['waited', 'waited']);
  });
});
