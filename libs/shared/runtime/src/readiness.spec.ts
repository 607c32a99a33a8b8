import { describe, expect, it } from '@jest/globals';
import { runChecks } from './readiness.ts';

describe('runChecks', () => {
  it('is ready when every check is', async () => {
    expect(await runChecks({ database: async () => {}, queue: () => true })).toEqual({
      isReady: true,
      checks: { database: 'ok', queue: 'ok' },
    });
  });

  it('tells a check that fails from one that does not answer', async () => {
    const checks = {
      database: () => Promise.reject(new Error('away')),
      queue: () => new Promise(() => {}),
      clock: () => {
        throw new Error('broken');
      },
    };
    expect(await runChecks(checks, 20)).toEqual({
      isReady: false,
      checks: { database: 'failed', queue: 'timeout', clock: 'failed' },
    });
  });
});
