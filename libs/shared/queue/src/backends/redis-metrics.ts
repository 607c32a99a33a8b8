import { type Metrics, watchTogether } from '@eas/runtime';
import type { OpenQueues } from './open-queues.ts';

/** Registers what Redis says of its memory and its files; without values if the queues are on Postgres. */
export function watchRedis(
  metrics: Metrics,
  { readRedisState }: Pick<OpenQueues, 'readRedisState'>,
  everyMs = 15_000,
): void {
  const countEvicted = countGrowth(metrics.counter('eas_redis_evicted_keys_total'));
  async function read() {
    const state = await readRedisState?.();
    if (state) countEvicted(state.evictedKeys);
    return { state };
  }
  watchTogether(
    metrics,
    { read, everyMs },
    {
      eas_redis_memory_used_bytes: ({ state }) => state?.memoryUsed,
      eas_redis_memory_max_bytes: ({ state }) => state?.memoryMax,
      eas_redis_persistence_ok: ({ state }) =>
        state && { rdb: Number(state.isSaved.rdb), aof: Number(state.isSaved.aof) },
    },
  );
}

/** What a store has counted since its own start is counted from the first reading on. */
function countGrowth(counter: { inc(by: number): void }): (total: number) => void {
  let before: number | undefined;
  return (total) => {
    if (before !== undefined) counter.inc(total >= before ? total - before : total);
    before = total;
  };
}
