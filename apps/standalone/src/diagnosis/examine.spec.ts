import { parseInfo } from '@eas/queue/redis-connection';
import { describe, expect, it } from '@jest/globals';
import { clockSkew } from './clock-skew.ts';
import { examineFree } from './examine-host.ts';
import { examineMemory, examinePersistence } from './examine-redis.ts';
import { examineServer } from './examine-server.ts';

const settings = {
  autovacuum: 'on',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  fsync: 'on',
  full_page_writes: 'on',
  max_connections: '100',
  superuser_reserved_connections: '3',
  synchronous_commit: 'on',
  TimeZone: 'UTC',
};
const pools = { size: 8, isPooled: false };
const good = {
  version: '18.1',
  major: 18,
  encoding: 'UTF8',
  isReplica: false,
  role: 'eas_app',
  mayChangeTables: false,
  mayMonitor: true,
  bytes: 12_000_000,
  sessions: 3,
  pools: [],
  now: new Date(),
  settings,
};

describe('a Postgres server', () => {
  it('that fits is one line', () => {
    expect(examineServer(good, pools)).toEqual([expect.objectContaining({ level: 'ok', check: 'postgres' })]);
  });

  it.each([
    [{ major: 14, version: '14.9' }, 'fail', /14\.9 is too old/],
    [{ encoding: 'SQL_ASCII' }, 'fail', /SQL_ASCII/],
    [{ isReplica: true }, 'fail', /read-only/],
  ] as const)('with %j is not fit', (part, level, message) => {
    expect(examineServer({ ...good, ...part }, pools).slice(1)).toEqual([
      expect.objectContaining({ level, message: expect.stringMatching(message) }),
    ]);
  });

  it.each([
    ['default_transaction_read_only', 'on', 'fail'],
    ['fsync', 'off', 'fail'],
    ['full_page_writes', 'off', 'fail'],
    ['synchronous_commit', 'off', 'fail'],
    ['default_transaction_isolation', 'serializable', 'fail'],
    ['autovacuum', 'off', 'warn'],
    ['TimeZone', 'Europe/Berlin', 'warn'],
    ['max_connections', '40', 'warn'],
  ] as const)('whose %s is %s is said to %s', (name, value, level) => {
    const findings = examineServer({ ...good, settings: { ...settings, [name]: value } }, pools).slice(1);
    expect(findings).toEqual([expect.objectContaining({ level })]);
  });
});

describe('the connections of a server', () => {
  // Twelve processes, one of them with more than a pool behind its address, and ten connections of others.
  const busy = { ...good, pools: [...Array<number>(10).fill(2), 9], sessions: 39 };
  const warningsOf = (part: Partial<typeof settings>, of = pools) =>
    examineServer({ ...busy, settings: { ...settings, ...part } }, of).slice(1);

  it('are enough for what is open and what the pools of all processes may still open', () => {
    expect(warningsOf({ max_connections: '109' })).toEqual([]);
    expect(warningsOf({ max_connections: '108' })).toEqual([
      expect.objectContaining({
        level: 'warn',
        message: '105 connections can be open, 39 are; with 12 processes of the apps it can be 106',
      }),
    ]);
  });

  it('are enough again after what the warning says to do', () => {
    expect(warningsOf({ max_connections: '108' }, { ...pools, size: 7 })).toEqual([]);
    expect(warningsOf({ max_connections: '108' }, { ...pools, isPooled: true })).toEqual([]);
  });

  it('are enough for one process of each app where none runs yet', () => {
    expect(examineServer({ ...good, settings: { ...settings, max_connections: '46' } }, pools)).toHaveLength(1);
    expect(examineServer({ ...good, settings: { ...settings, max_connections: '45' } }, pools)).toHaveLength(2);
  });
});

describe('a Redis server', () => {
  const info = parseInfo(['# Memory', 'maxmemory:0', 'maxmemory_policy:noeviction', 'aof_enabled:1'].join('\r\n'));

  it('that keeps what it is given is fit', () => {
    expect([examineMemory(info).level, examinePersistence(info).level]).toEqual(['ok', 'ok']);
  });

  it('that evicts keys is not, and may do so later without a limit now', () => {
    const evicting = { ...info, maxmemory_policy: 'allkeys-lru' };
    expect(examineMemory(evicting).level).toBe('warn');
    expect(examineMemory({ ...evicting, maxmemory: '1000000' }).level).toBe('fail');
  });

  it('that forgets its jobs at a restart is warned of, and one whose disk is full fails', () => {
    expect(examinePersistence({ ...info, aof_enabled: '0' }).level).toBe('warn');
    expect(examinePersistence({ ...info, aof_last_write_status: 'err' }).level).toBe('fail');
  });
});

describe('the disk of the embedded database', () => {
  it.each([
    [undefined, 'warn'],
    [2e8, 'fail'],
    [1e9, 'warn'],
    [3e9, 'ok'],
  ] as const)('with %s bytes free is %s', (free, level) => expect(examineFree(free, '/data').level).toBe(level));
});

describe('a clock', () => {
  it.each([
    [0, 'ok'],
    [900, 'ok'],
    [5_000, 'warn'],
    [-5_000, 'warn'],
    [90_000, 'fail'],
    [-90_000, 'fail'],
  ] as const)('that is %s ms off is %s', (skewMs, level) => {
    expect(clockSkew('clock', 1_000_000 + skewMs, 999_990, 1_000_010).level).toBe(level);
  });

  it('is not blamed for a slow network', () => {
    expect(clockSkew('clock', 1_000_000, 1_000_000, 1_004_000).level).toBe('ok');
  });
});
