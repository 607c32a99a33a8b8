import { defaultTenantId } from '@eas/contracts';
import { createEventPartitions, type Database, type Db, nextRemovalAt, sweepEach, sweepRemovedTenants } from '@eas/db';
import { nextInboundReplayAt, sweepInboundReplay } from '@eas/receiving';
import { sweepSilence } from '@eas/integrations';
import type { WorkerOptions } from '@eas/queue';
import { type IdleWatch, type ProcessParts, startLoop } from '@eas/runtime';
import {
  aggregateTaskCounts,
  fireTaskAlarms,
  nextInputExpiryAt,
  nextLeaseExpiryAt,
  nextTaskAlarmAt,
  nextTaskCountAt,
  nextUnreportedCallAt,
  nextUnrevivedAt,
  sweepDurations,
  sweepExpiredInputs,
  sweepExpiredLeases,
  sweepPresence,
  sweepStalledTasks,
  sweepUnreportedCalls,
  sweepUnrevivedLeases,
} from '@eas/tasks';
import { nextStepAt, sweepDueSteps, sweepStepDurations } from '@eas/workflows';
import type { Config } from './config.ts';
import { startPlatformCalls } from './platform-calls.ts';
import { startRetention } from './retention.ts';
import { countExpired } from './watch-work.ts';

const sweepMs = 5_000;
const alarmsMs = 500;
const stalledMs = 30_000;
const countsMs = 1_000;
const durationsMs = 60_000;
const dueStepsMs = 1_000;
/** The interval at which a replay is advanced. */
const replaysMs = 250;
const silenceMs = 60_000;
const partitionsMs = 6 * 3_600_000;
const removalsMs = 5_000;

const neverAborts = new AbortController().signal;

type NextDueAt = (db: Db) => Promise<Date | null>;
/** Without `nextDueAt` it runs however idle the system is. */
type Sweep = readonly [run: (database: Database) => Promise<number>, nextDueAt?: NextDueAt];

type LoopParts = Pick<WorkerOptions, 'makeContext'> & { database: Database; idleWatch: IdleWatch };

/** Periodic work: timers of this process, so that a wiped queue store does not stop them. */
export function startLoops({ database, makeContext, idleWatch }: LoopParts, parts: ProcessParts<Config>): void {
  const { config, logger, onShutdown } = parts;
  const leaseMs = config.leases.seconds * 1_000;
  const start = (
    name: string,
    everyMs: number,
    run: (signal: AbortSignal) => Promise<unknown>,
    nextDueAt?: NextDueAt,
  ) => {
    const pause = nextDueAt && { watch: idleWatch, nextDueAt: () => nextDueAt(database.db) };
    return startLoop({ name, everyMs, logger, run, pause });
  };
  const startSweep = (name: string, everyMs: number, [sweep, nextDueAt]: Sweep, say: (count: number) => void) => {
    const run = async () => {
      const count = await sweep(database);
      if (count > 0) say(count);
    };
    return start(name, everyMs, run, nextDueAt);
  };
  const contextOf = (tenantId: string) => makeContext({ tenantId, signal: neverAborts, logger });
  const silent = parts.metrics.counter('eas_integrations_silent_total');
  const expired = countExpired(parts.metrics);
  const loops = [
    startSweep('expired leases', Math.min(sweepMs, leaseMs / 2), [sweepExpiredLeases, nextLeaseExpiryAt], (ended) => {
      expired.lost(ended);
      logger.info({ ended }, 'leases expired, tasks reopened');
    }),
    startSweep('expired inputs', sweepMs, [sweepExpiredInputs, nextInputExpiryAt], (expired) =>
      logger.info({ expired }, 'inputs expired'),
    ),
    startSweep('unreported model calls', sweepMs, [sweepUnreportedCalls, nextUnreportedCallAt], (estimated) =>
      logger.warn({ estimated }, 'model calls without usage, counted as estimated'),
    ),
    startSweep('unrevived leases', sweepMs, [sweepUnrevivedLeases, nextUnrevivedAt], (ended) => {
      expired.unrevived(ended);
      logger.info({ ended }, 'answered leases expired, tasks reopened');
    }),
    startSweep('stalled tasks', stalledMs, [sweepStalledTasks], (stalled) =>
      logger.warn({ stalled }, 'tasks stalled: heartbeats but no progress'),
    ),
    start('presence', Math.min(sweepMs, leaseMs / 4), () => sweepPresence(database, config.leases.seconds)),
    startSweep('due steps', dueStepsMs, [({ db }) => sweepDueSteps(db, contextOf), nextStepAt], (runs) =>
      logger.info({ runs }, 'steps of runs timed out or due for retry'),
    ),
    start('task durations', durationsMs, () => sweepDurations(database.db)),
    start('step durations', durationsMs, () => sweepStepDurations(database.db)),
    start('task alarms', alarmsMs, () => fireTaskAlarms(database), nextTaskAlarmAt),
    start('task counts', countsMs, () => aggregateTaskCounts(database.db), nextTaskCountAt),
    start('inbound replays', replaysMs, () => sweepEach(database, sweepInboundReplay), nextInboundReplayAt),
    start('silent integrations', silenceMs, () => reportSilence(database, parts, silent)),
    startPlatformCalls(database, contextOf, parts, idleWatch),
    start(
      'deleted tenants',
      removalsMs,
      (signal) => sweepRemovedTenants(contextOf(defaultTenantId), signal),
      nextRemovalAt,
    ),
    start('partitions', partitionsMs, () => createEventPartitions(database.db)),
    ...startRetention(database, parts),
  ];
  onShutdown('loops', async () => void (await Promise.all(loops.map((loop) => loop.stop()))));
}

async function reportSilence(
  { db }: Database,
  { logger }: ProcessParts<Config>,
  silent: { inc(): void },
): Promise<void> {
  for (const { tenantId, id, lastReceivedAt } of await sweepSilence(db)) {
    silent.inc();
    logger.warn({ tenantId, integrationId: id, lastReceivedAt }, 'integration received nothing, degraded');
  }
}
