import { describe, expect, it } from '@jest/globals';
import { createRateLimiter, tooMany } from './rate-limit.ts';
import { withTenantCeiling } from './tenant-ceiling.ts';

const logger = { error() {}, warn() {}, info() {}, debug() {} };

function scene(ceiling: number) {
  const windows = new Map<string, number>();
  const endsAtMs = Date.now() + 60_000;
  const count = async (key: string, points: number) => {
    const used = (windows.get(key) ?? 0) + points;
    windows.set(key, used);
    return { used, endsAtMs };
  };
  const limiter = () => createRateLimiter({ count, logger });
  const limit = withTenantCeiling(limiter(), limiter(), ceiling);
  const call = async (credentialId: string, rateLimit = 100, tenantId = 'tnt_1') =>
    limit({ tenantId, credentialId, rateLimit }, 'api');
  return { call, windows };
}

describe('the ceiling of a tenant', () => {
  it('applies to all of its keys together, and to no other tenant', async () => {
    const { call } = scene(3);
    for (const key of ['key_1', 'key_2', 'key_3']) expect(await call(key)).toMatchObject({ isAllowed: true });
    const refused = await call('key_4');
    expect(refused).toMatchObject({ isAllowed: false, isOfTenant: true, limit: 3, remaining: 0 });
    expect(tooMany('requests', refused).message).toBe(
      'All callers of the tenant together sent more than 3 requests in a minute. Try again in a minute.',
    );
    expect(await call('key_5', 100, 'tnt_2')).toMatchObject({ isAllowed: true });
  });

  it('shows the window of the credential while it is not reached', async () => {
    const { call } = scene(1_000);
    expect(await call('key_1', 7)).toMatchObject({ limit: 7, remaining: 6 });
  });

  it('is not used up by a key that is refused for its own limit', async () => {
    const { call, windows } = scene(1_000);
    for (let n = 0; n < 20; n += 1) await call('key_1', 2);
    expect(windows.get('tenant:tnt_1')).toBeLessThanOrEqual(3);
  });
});
