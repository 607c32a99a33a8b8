import { describe, expect, it } from '@jest/globals';
import { createRateLimiter } from './rate-limit.ts';
import { createLookUpThrottle, createThrottle, throttleByAddress } from './throttle.ts';

const logger = { error() {}, warn() {}, info() {}, debug() {} };

function makeThrottle() {
  const windows = new Map<string, number>();
  const count = async (key: string, points: number) => {
    windows.set(key, (windows.get(key) ?? 0) + points);
    return { used: windows.get(key) ?? 0, endsAtMs: Date.now() + 60_000 };
  };
  return createThrottle(createRateLimiter({ count, logger }));
}

describe('a throttle', () => {
  it('admits the number of attempts per minute, for each key', async () => {
    const throttle = makeThrottle();
    for (let attempt = 0; attempt < 5; attempt += 1) await throttle('a', 5);
    await expect(throttle('a', 5)).rejects.toMatchObject({
      code: 'rate_limited',
      message: 'More than 5 attempts in a minute. Try again in a minute.',
    });
    await throttle('b', 5);
  });

  it('admits no more when they are concurrent', async () => {
    const throttle = makeThrottle();
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => throttle('a', 10)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  });

  it('counts an IPv6 address with the others of its /64, and each IPv4 address by itself, however it is written', async () => {
    const tries = throttleByAddress(makeThrottle(), 'tries', 2);
    for (const address of ['2001:db8:0:1::1', '2001:DB8:0:1:a:b:c:d', '2001:db8:0:2::1', '192.0.2.1', '192.0.2.2'])
      await tries(address);
    await tries('::ffff:192.0.2.1');
    for (const address of ['2001:db8:0:1::3', '192.0.2.1'])
      await expect(tries(address)).rejects.toMatchObject({ code: 'rate_limited' });
    await tries('192.0.2.2');
  });
});

describe('a throttle of look-ups', () => {
  const fails = (work: Promise<unknown>) => expect(work).rejects.toMatchObject({ code: 'rate_limited' });

  it('is open to an address until too many of its look-ups failed, and stays open to others', async () => {
    const lookUps = createLookUpThrottle(makeThrottle(), 2);
    for (let failed = 0; failed < 2; failed += 1) await lookUps.count('192.0.2.1');
    await Promise.all(Array.from({ length: 50 }, () => lookUps.ask('192.0.2.1')));
    await fails(lookUps.count('192.0.2.1'));
    const asked = await Promise.allSettled(Array.from({ length: 50 }, () => lookUps.ask('192.0.2.1')));
    expect(asked.filter(({ status }) => status === 'fulfilled').length).toBeLessThan(10);
    await Promise.all(Array.from({ length: 50 }, () => lookUps.ask('192.0.2.2')));
  });

  it('admits occasional look-ups of an address that failed too often, one at a time', async () => {
    const lookUps = createLookUpThrottle(makeThrottle(), 0);
    await fails(lookUps.count('192.0.2.1'));
    for (let asked = 0; asked < 3; asked += 1) await lookUps.ask('192.0.2.1');
  });
});
