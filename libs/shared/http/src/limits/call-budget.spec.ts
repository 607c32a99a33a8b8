import { describe, expect, it } from '@jest/globals';
import { createCallBudget } from './call-budget.ts';

const logger = { error() {}, warn() {}, info() {}, debug() {} };
/** So wide that no call of these tests waits in the pace of its tenant. */
const perTenant = 100_000;

function scene(failedLookUps = 300) {
  const windows = new Map<string, number>();
  const endsAtMs = Date.now() + 60_000;
  const count = async (key: string, points: number) => {
    const used = (windows.get(key) ?? 0) + points;
    windows.set(key, used);
    return { used, endsAtMs };
  };
  const costs: [tenantId: string, cost: object][] = [];
  const onCost = (tenantId: string, cost: object) => void costs.push([tenantId, cost]);
  const budget = createCallBudget({ count, logger, perTenant, failedLookUps, onCost });
  const call = (credentialId: string, rateLimit = 100, tenantId = 'tnt_1') =>
    budget.take({ tenantId, credentialId, rateLimit }, 'api');
  return { ...budget, call, windows, costs };
}

describe('the level of a credential', () => {
  it('refuses the first call over its limit', async () => {
    const { call } = scene();
    expect(await call('key_1', 1)).toEqual({ limit: 1, remaining: 0, resetAtSeconds: expect.any(Number) });
    const { refusal } = await call('key_1', 1);
    expect(refusal).toMatchObject({ code: 'rate_limited', headers: { 'Retry-After': '60' } });
    expect(refusal?.message).toBe('More than 1 requests in a minute. Try again in a minute.');
  });

  it('counts claims and lease calls separately, with a limit ten times as high', async () => {
    const { call, take } = scene();
    await call('key_1', 60);
    const state = await take({ tenantId: 'tnt_1', credentialId: 'key_1', rateLimit: 60 }, 'agent');
    expect(state).toMatchObject({ limit: 600, remaining: 599 });
  });
});

describe('the ceiling of a tenant', () => {
  it('applies to all of its keys together, and to no other tenant', async () => {
    const { call, windows } = scene();
    windows.set('tenant:tnt_1', perTenant - 3);
    for (const key of ['key_1', 'key_2', 'key_3']) expect((await call(key)).refusal).toBeUndefined();
    const refused = await call('key_4');
    expect(refused).toMatchObject({ limit: perTenant, remaining: 0 });
    expect(refused.refusal?.message).toBe(
      'All callers of the tenant together sent more than 100000 requests in a minute. Try again in a minute.',
    );
    expect((await call('key_5', 100, 'tnt_2')).refusal).toBeUndefined();
  });

  it('shows the window of the credential while it is not reached', async () => {
    expect(await scene().call('key_1', 7)).toMatchObject({ limit: 7, remaining: 6 });
  });

  it('is not used up by a key that is refused for its own limit', async () => {
    const { call, windows } = scene();
    for (let n = 0; n < 20; n += 1) await call('key_1', 2);
    expect(windows.get('tenant:tnt_1')).toBeLessThanOrEqual(3);
  });
});

describe('attempts', () => {
  it('are admitted up to the number per minute, for each key', async () => {
    const { attempt } = scene();
    for (let n = 0; n < 5; n += 1) await attempt('a', 5);
    await expect(attempt('a', 5)).rejects.toMatchObject({
      code: 'rate_limited',
      message: 'More than 5 attempts in a minute. Try again in a minute.',
    });
    await attempt('b', 5);
  });

  it('are admitted in no greater number when they are concurrent', async () => {
    const { attempt } = scene();
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => attempt('a', 10)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  });

  it('of an IPv6 address count with the others of its /64, and each IPv4 address by itself, however it is written', async () => {
    const { attemptFrom } = scene();
    const tries = (address: string) => attemptFrom(address, 'tries', 2);
    for (const address of ['2001:db8:0:1::1', '2001:DB8:0:1:a:b:c:d', '2001:db8:0:2::1', '192.0.2.1', '192.0.2.2'])
      await tries(address);
    await tries('::ffff:192.0.2.1');
    for (const address of ['2001:db8:0:1::3', '192.0.2.1'])
      await expect(tries(address)).rejects.toMatchObject({ code: 'rate_limited' });
    await tries('192.0.2.2');
  });
});

describe('look-ups', () => {
  const fails = (work: Promise<unknown>) => expect(work).rejects.toMatchObject({ code: 'rate_limited' });

  it('are open to an address until too many of its look-ups failed, and stay open to others', async () => {
    const { lookUps } = scene(2);
    for (let failed = 0; failed < 2; failed += 1) await lookUps.count('192.0.2.1');
    await Promise.all(Array.from({ length: 50 }, () => lookUps.ask('192.0.2.1')));
    await fails(lookUps.count('192.0.2.1'));
    const asked = await Promise.allSettled(Array.from({ length: 50 }, () => lookUps.ask('192.0.2.1')));
    expect(asked.filter(({ status }) => status === 'fulfilled').length).toBeLessThan(10);
    await Promise.all(Array.from({ length: 50 }, () => lookUps.ask('192.0.2.2')));
  });

  it('are admitted occasionally from an address that failed too often, one at a time', async () => {
    const { lookUps } = scene(0);
    await fails(lookUps.count('192.0.2.1'));
    for (let asked = 0; asked < 3; asked += 1) await lookUps.ask('192.0.2.1');
  });
});

describe('the cost of calls', () => {
  it('is reported with the tenant, also that of calls that are refused', async () => {
    const { call, charge, costs } = scene();
    await call('key_1', 1);
    await call('key_1', 1);
    charge({ tenantId: 'tnt_2', credentialId: 'key_2', rateLimit: 1 }, 'api', { databaseMs: 12 });
    expect(costs).toEqual([
      ['tnt_1', { calls: 1 }],
      ['tnt_1', { calls: 1 }],
      ['tnt_2', { databaseMs: 12 }],
    ]);
  });
});
