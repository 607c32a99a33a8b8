import { describe, expect, it } from '@jest/globals';
import { verdictOf } from './verdict.ts';

const now = 1_000_000;

describe('the verdict on a failed call', () => {
  it.each(['gone', 'refused'] as const)('is final for one that is %s', (kind) => {
    expect(verdictOf({ kind, reason: 'status 4xx' }, 1, now)).toMatchObject({ state: 'failed', pauseMs: 0 });
  });

  it('pauses everything of the integration for a refused token, and does not use up the attempts', () => {
    const verdict = verdictOf({ kind: 'denied', status: 401, reason: 'status 401' }, 50, now);
    expect(verdict).toMatchObject({ state: 'waiting', pauseMs: 300_000, isUncounted: true });
  });

  it('gives up on one task that may not be touched, and pauses nothing', () => {
    const denied = { kind: 'denied', status: 403, reason: 'status 403' } as const;
    expect(verdictOf(denied, 4, now)).toMatchObject({ state: 'waiting', pauseMs: 0 });
    expect(verdictOf(denied, 5, now)).toMatchObject({ state: 'failed', error: 'gave up after 5 attempts: status 403' });
  });

  it('waits as long as the platform says after a 429, else a minute', () => {
    const limited = { kind: 'limited', reason: 'status 429' } as const;
    expect(verdictOf({ ...limited, retryAt: now + 7_000 }, 1, now)).toMatchObject({
      pauseMs: 7_000,
      isUncounted: true,
    });
    expect(verdictOf({ ...limited, retryAt: undefined }, 1, now)).toMatchObject({ pauseMs: 60_000 });
    expect(verdictOf({ ...limited, retryAt: now }, 1, now)).toMatchObject({ pauseMs: 1_000 });
  });

  it('waits longer after each failure, an hour or a little more at most', () => {
    const waits = Array.from({ length: 19 }, (_, index) => {
      const verdict = verdictOf({ kind: 'unavailable', reason: 'status 500' }, index + 1, now);
      return verdict.afterMs ?? 0;
    });
    expect(waits[0]).toBeGreaterThanOrEqual(5_000);
    expect(waits[4]).toBeGreaterThanOrEqual(80_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(3_600_000 * 1.2);
    expect(verdictOf({ kind: 'unavailable', reason: 'status 500' }, 20, now)).toMatchObject({ state: 'failed' });
  });
});
