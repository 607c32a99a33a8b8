import { createEventPartitions } from '@eas/db';
import { type ProcessParts, startLoop } from '@eas/runtime';
import { foldTaskCounts, sweepExpiredLeases } from '@eas/tasks';
import type { Config } from './config.ts';
import type { Container } from './container.ts';

const sweepMs = 5_000;
const countsMs = 1_000;
const partitionsMs = 6 * 3_600_000;

/** Periodic work: timers of this process, so that a wiped queue store cannot take them away. */
export function startLoops({ database }: Container, { config, logger, onShutdown }: ProcessParts<Config>): void {
  const loops = [
    startLoop({
      name: 'expired leases',
      everyMs: Math.min(sweepMs, (config.leases.seconds * 1_000) / 2),
      logger,
      async run() {
        const ended = await sweepExpiredLeases(database);
        if (ended > 0) logger.info({ ended }, 'leases ran out; their tasks are open again');
      },
    }),
    startLoop({
      name: 'task counts',
      everyMs: countsMs,
      logger,
      run: async () => void (await foldTaskCounts(database.db)),
    }),
    startLoop({ name: 'partitions', everyMs: partitionsMs, logger, run: () => createEventPartitions(database.db) }),
  ];
  onShutdown('loops', async () => void (await Promise.all(loops.map((loop) => loop.stop()))));
}
