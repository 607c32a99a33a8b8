import { type Database, sweepAlone, type Tx } from '@eas/db';
import { lockFacts } from '../facts/fact.store.ts';
import { readRollups } from '../facts/recount.read-model.ts';
import { readChunk } from './chunk.read-model.ts';
import { addByDay, compareRollups, type RollupDifference } from './compare-rollups.ts';
import { findRecount, recountAfter, saveRecount } from './recount.sweeper.ts';
import { readRecounted, replaceRecounted } from './recounted.store.ts';

/** Maximum number of tasks to read in one run, and of tenants. */
const [maxTasksOfRun, maxSteps] = [5_000, 20];

export type RecountResult = {
  /** Days of tenants that were compared. */
  days: number;
  differences: (RollupDifference & { tenantId: string })[];
};

/**
 * Counts the figures of some tenants and days again from their tasks, compares them with the stored ones, and goes on from
 * there the next time, tenant by tenant and from the start again. Does nothing while another process does it.
 */
export async function recountSome(database: Database, maxTasks = maxTasksOfRun): Promise<RecountResult> {
  const result: RecountResult = { days: 0, differences: [] };
  let tasks = 0;
  for (let step = 0; step < maxSteps && tasks < maxTasks; step += 1) {
    const next = await sweepAlone(database, 'recount', (tx) => recountNext(tx, maxTasks - tasks));
    if (!next) break;
    tasks += next.tasks;
    result.days += next.days;
    result.differences.push(...next.differences);
    if (next.isRoundOver) break;
  }
  return result;
}

type Step = RecountResult & { tasks: number; isRoundOver: boolean };

/**
 * The next tasks of one tenant, and the days that are complete with them. What they add to other days is stored, and
 * moves with their facts until the next step, so that a day with any number of tasks is counted exactly.
 */
async function recountNext({ db }: Tx, limit: number): Promise<Step | undefined> {
  const recount = await findRecount(db);
  if (!recount) return undefined;
  const { tenantId, position, day } = recount;
  const scope = { db, tenantId };
  await lockFacts(scope);
  const { tasks, lastId, laterFrom, rollups } = await readChunk(scope, { after: position, limit });
  const before = tasks < limit ? null : later(day, laterFrom);
  const earlier = position === '' ? [] : await readRecounted(scope);
  const counted = addByDay([...earlier, ...rollups]);
  const isComplete = (rollup: { day: string }) => before === null || rollup.day < before;
  const complete = counted.filter(isComplete);
  const stored = await readRollups(scope, { from: day, before });
  const rest = counted.filter((rollup) => !isComplete(rollup));
  if (position !== '' || before !== null) await replaceRecounted(scope, rest);
  const next = before === null ? await recountAfter(db, tenantId) : { tenantId, position: lastId ?? '', day: before };
  await saveRecount(db, next);
  return {
    tasks,
    days: new Set([...stored, ...complete].map((rollup) => rollup.day)).size,
    differences: compareRollups(stored, complete).map((difference) => ({ tenantId, ...difference })),
    isRoundOver: next === undefined,
  };
}

const later = (one: string | null, other: string | null): string | null =>
  one !== null && (other === null || one > other) ? one : other;
