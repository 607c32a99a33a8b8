import { describe, expect, it } from '@jest/globals';
import { settingsOf } from './describe-run.ts';

describe('settingsOf', () => {
  it('gives what is set for the bench, in order, and nothing else', () => {
    expect(settingsOf({ BENCH_IN_FLIGHT: '50', BENCH_EVENTS: '100', HOME: '/home' })).toEqual({
      BENCH_EVENTS: '100',
      BENCH_IN_FLIGHT: '50',
    });
  });

  it('has no token and no address in it', () => {
    const env = {
      BENCH_PEER: 'svix:http://host:8071:secret',
      DATABASE_URL: 'postgres://a:b@host/c',
      REDIS_URL: 'redis://x',
    };
    expect(settingsOf(env)).toEqual({ BENCH_PEER: 'svix', DATABASE_URL: 'set', REDIS_URL: 'set' });
  });
});
