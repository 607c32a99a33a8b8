import { recountSome } from '@eas/analytics';
import type { Database } from '@eas/db';
import { type Loop, type ProcessParts, startLoop } from '@eas/runtime';

const recountMs = 60_000;

export type Recounting = Loop & {
  /** New facts were read, so there are figures to count again. */
  onFacts(): void;
};

/**
 * Counts some figures again, each minute in which this process recorded facts: a system at rest has nothing new to
 * compare and is left alone.
 */
export function startRecounting(
  database: Database,
  { logger, metrics }: Pick<ProcessParts<unknown>, 'logger' | 'metrics'>,
): Recounting {
  const recounted = metrics.counter('eas_analytics_days_recounted_total');
  let [reads, comparedReads] = [0, 0];

  async function run(): Promise<void> {
    if (reads === comparedReads) return;
    const upTo = reads;
    const { days, differences } = await recountSome(database);
    const different = new Set(differences.map(({ tenantId, day }) => `${tenantId} ${day}`)).size;
    recounted.inc({ result: 'equal' }, days - different);
    recounted.inc({ result: 'different' }, different);
    for (const difference of differences) logger.warn(difference, 'figures differ from their recount');
    comparedReads = upTo;
  }

  const loop = startLoop({ name: 'recount', everyMs: recountMs, run, logger });
  return { ...loop, onFacts: () => void (reads += 1) };
}
