import {
  auditHistory,
  claimTime,
  type Database,
  type RetentionObserver,
  sweepHistory,
  sweepTenantHistory,
} from '@eas/db';
import { receiptHistory, sweepInboundBodies } from '@eas/receiving';
import { removeOldMessages } from '@eas/outbound';
import { platformCalls } from '@eas/platform-calls';
import { sweepOldPullRequests, sweepOldStages } from '@eas/source-host';
import { sweepOldReconciles, sweepOldTombstones } from '@eas/task-platform';
import { sweepOldBudgetPeriods, sweepOldRunners } from '@eas/tasks';
import { type Loop, type Metrics, type ProcessParts, startLoop } from '@eas/runtime';
import type { Config } from './config.ts';

const retentionMs = 3_600_000;
const callsKeptDays = 30;

/** Loops that remove what is older than its limit. */
export function startRetention(database: Database, { config, logger, metrics }: ProcessParts<Config>): Loop[] {
  const { db } = database;
  const { eventDays, deliveryDays, sessionDays, modelCallDays, bodyDays } = config.retention;
  const observer = countRemoved(metrics);
  const sweep = { retention: { eventDays, deliveryDays, sessionDays, modelCallDays }, logger, observer };
  if (eventDays > 0 && (deliveryDays === 0 || deliveryDays > eventDays))
    logger.warn({ eventDays, deliveryDays }, 'events are kept for less time than deliveries');
  const loops = [
    startLoop({
      name: 'retention',
      everyMs: retentionMs,
      logger,
      run: (signal) => sweepHistory(db, { ...sweep, signal }),
    }),
    startLoop({
      name: 'old integration rows',
      everyMs: retentionMs,
      logger,
      async run(signal) {
        await removeOldMessages(db, platformCalls, callsKeptDays, signal);
        await sweepOldReconciles(db, signal);
        // As long as a replay or a subscriber can ask for it again.
        const stageDays = Math.max(eventDays, bodyDays);
        if (eventDays === 0 || bodyDays === 0) return;
        await sweepOldStages(db, stageDays, signal);
        await sweepOldPullRequests(db, stageDays, signal);
        // A replay never finds a body whose tombstone has gone.
        await sweepOldTombstones(db, stageDays + 1, signal);
      },
    }),
    startLoop({
      name: 'old runners',
      everyMs: retentionMs,
      logger,
      run: async (signal) => void (await sweepOldRunners(db, signal)),
    }),
    startLoop({
      name: 'old budget periods',
      everyMs: retentionMs,
      logger,
      run: async (signal) => void (await sweepOldBudgetPeriods(db, signal)),
    }),
  ];
  const sweepTenants = tenantSweep(database, { config, logger, observer });
  loops.push(startLoop({ name: 'old rows of tenants', everyMs: retentionMs, logger, run: sweepTenants }));
  if (bodyDays === 0) return loops;
  const removeBodies = async (signal: AbortSignal) => {
    const removed = await sweepInboundBodies(db, bodyDays, signal);
    observer.onBodiesRemoved(removed);
    if (removed > 0) logger.info({ removed }, 'bodies of receipts removed');
  };
  return [...loops, startLoop({ name: 'inbound bodies', everyMs: retentionMs, logger, run: removeBodies })];
}

type TenantSweepParts = Pick<ProcessParts<Config>, 'config' | 'logger'> & { observer: RetentionObserver };

/** Removes old receipts and audit entries of all tenants. One process does it in an hour. */
function tenantSweep({ db, clock }: Database, { config, logger, observer }: TenantSweepParts) {
  const { exportFolder, ...days } = config.retention;
  return async (signal: AbortSignal) => {
    const hour = new Date(Math.floor(clock.now().getTime() / retentionMs) * retentionMs);
    if (!(await claimTime(db, 'old rows of tenants', hour))) return;
    for (const history of [receiptHistory, auditHistory]) {
      const { table } = history;
      const onRemoved = (tenantId: string, removed: number) => {
        observer.onRowsDeleted(table, removed);
        logger.info({ table, tenantId, removed }, 'old rows removed');
      };
      await sweepTenantHistory(db, history, { days: days[history.days], exportFolder, onRemoved, signal });
    }
  };
}

function countRemoved(metrics: Metrics): RetentionObserver & { onBodiesRemoved(bodies: number): void } {
  const months = metrics.counter('eas_retention_months_dropped_total');
  const rows = metrics.counter('eas_retention_rows_deleted_total');
  const unfinished = metrics.counter('eas_retention_open_deliveries_total');
  const bodies = metrics.counter('eas_retention_inbound_bodies_total');
  return {
    onMonthDropped: (table) => months.inc({ table }),
    onRowsDeleted: (table, count) => rows.inc({ table }, count),
    onUnfinishedDropped: (count) => unfinished.inc(count),
    onBodiesRemoved: (count) => bodies.inc(count),
  };
}
