import { describe, expect, it } from '@jest/globals';
import { peerVersions } from './versions.ts';

describe('peerVersions', () => {
  it('has the versions of the lock file', () => {
    const version = expect.stringMatching(/^\d+\.\d+\.\d+$/);
    expect(peerVersions({})).toEqual({ 'DBOS Transact': version, Restate: version });
  });

  it('has the version of the product that BENCH_PEER names', () => {
    const env = { BENCH_PEER: 'svix:http://127.0.0.1:8071:token', BENCH_PEER_VERSION: '1.84.0' };
    expect(peerVersions(env)).toMatchObject({ svix: '1.84.0' });
  });
});
