import { describe, expect, it } from '@jest/globals';
import { StartError, unusable, withoutPassword } from './start-error.ts';

describe('a dependency that cannot be used at the start', () => {
  it('is reported with its setting, its address without the password, and the reason', () => {
    const error = unusable('Redis', 'REDIS_URL', 'redis://ada:hunter2@h:1/2', new Error('connect ECONNREFUSED'));
    expect(error).toBeInstanceOf(StartError);
    expect(error.message).toBe('Redis at redis://ada@h:1/2 (REDIS_URL) cannot be used: connect ECONNREFUSED.');
  });

  it('has a reason even if a host has several addresses', () => {
    const errors = [new Error('connect ECONNREFUSED ::1:1'), new Error('connect ECONNREFUSED 127.0.0.1:1')];
    expect(unusable('Postgres', 'DATABASE_URL', 'postgresql://h/d', new AggregateError(errors)).message).toMatch(
      /ECONNREFUSED ::1:1\.$/,
    );
  });

  it('shows all nodes of a cluster, and nothing of a text that is not a URL', () => {
    expect(withoutPassword('redis://:a@h:1, rediss://u:b@i:2')).toBe('redis://h:1,rediss://u@i:2');
    expect(withoutPassword('postgresql://h/d?password=x')).toBe('postgresql://h/d');
    expect(withoutPassword('hunter2')).toBe('(not a URL)');
  });
});
