import { describe, expect, it } from '@jest/globals';
import { joinStates, stateOf } from './redis-state.ts';

const full = { used_memory: '900', maxmemory: '1000', evicted_keys: '3', rdb_last_bgsave_status: 'ok' };

describe('the state of a Redis', () => {
  it('has its limit, or the memory of its machine where there is none, or neither', () => {
    expect(stateOf(full).memoryMax).toBe(1_000);
    expect(stateOf({ ...full, maxmemory: '0', total_system_memory: '8000' }).memoryMax).toBe(8_000);
    expect(stateOf({ used_memory: '900' })).toEqual({
      memoryUsed: 900,
      memoryMax: undefined,
      evictedKeys: 0,
      isSaved: { rdb: true, aof: true },
    });
  });

  it.each([
    ['rdb_last_bgsave_status', { rdb: false, aof: true }],
    ['aof_last_write_status', { rdb: true, aof: false }],
    ['aof_last_bgrewrite_status', { rdb: true, aof: false }],
  ])('says which file was not written: %s', (name, isSaved) => {
    expect(stateOf({ ...full, [name]: 'err' }).isSaved).toEqual(isSaved);
  });

  it('is of the fullest node in a Cluster, with the evicted keys and failures of all', () => {
    const empty = stateOf({ used_memory: '1000', maxmemory: '9000', evicted_keys: '4', aof_last_write_status: 'err' });
    const unlimited = stateOf({ used_memory: '99999' });
    expect(joinStates([empty, stateOf(full), unlimited])).toEqual({
      memoryUsed: 900,
      memoryMax: 1_000,
      evictedKeys: 7,
      isSaved: { rdb: true, aof: false },
    });
  });
});
