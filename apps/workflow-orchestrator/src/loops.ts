import { createEventPartitions } from '@eas/db';
import { type ProcessParts, startLoop } from '@eas/runtime';
import {
  foldTaskCounts,
  ringTaskAlarms,
  sweepDurations,
  sweepExpiredInputs,
  sweepExpiredLeases,
  sweepPresence,
  sweepStalledTasks,
  sweepUnrevivedLeases,
} from '@eas/tasks';
import type { Config } from './config.ts';
import type { Container } from './container.ts';

const sweepMs = 5_000;
const alarmsMs = 500;
const stalledMs = 30_000;
const countsMs = 1_000;
const durationsMs = 60_000;
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
      name: 'presence',
      everyMs: Math.min(sweepMs, (config.leases.seconds * 1_000) / 4),
      logger,
      run: () => sweepPresence(database, config.leases.seconds),
    }),
    startLoop({
      name: 'expired inputs',
      everyMs: sweepMs,
      logger,
      async run() {
        const expired = await sweepExpiredInputs(database);
        if (expired > 0) logger.info({ expired }, 'inputs were not answered in time');
      },
    }),
    startLoop({
      name: 'unrevived leases',
      everyMs: sweepMs,
      logger,
      async run() {
        const ended = await sweepUnrevivedLeases(database);
        if (ended > 0) logger.info({ ended }, 'agents did not come back for an answer; their tasks are open again');
      },
    }),
    startLoop({
      name: 'stalled tasks',
      everyMs: stalledMs,
      logger,
      async run() {
        const stalled = await sweepStalledTasks(database);
        if (stalled > 0) logger.warn({ stalled }, 'agents give no sign but heartbeats');
      },
    }),
    startLoop({ name: 'task durations', everyMs: durationsMs, logger, run: () => sweepDurations(database.db) }),
    startLoop({ name: 'task alarms', everyMs: alarmsMs, logger, run: () => ringTaskAlarms(database) }),
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
