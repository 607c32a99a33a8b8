import { type Database, type Db, sweepAlone, type Tx } from '@eas/db';
import { correctFacts, lockFacts } from '../facts/fact.store.ts';
import { forgetOverdue } from '../overdue/overdue.sweeper.ts';
import { type DayRollup, readRollups } from '../facts/recount.read-model.ts';
import { addRollups } from '../facts/rollup.ts';
import { readChunk, readWrongFacts } from './chunk.read-model.ts';
import { addByDay, compareRollups, type RollupDifference } from './compare-rollups.ts';
import { countRebuilds, endRecount, findRecount, type Recount, recountAfter, saveRecount } from './recount.sweeper.ts';
import { correctRollups, readRecounted, replaceRecounted } from './recounted.store.ts';

/** Maximum number of tasks to read in one run, and of tenants. */
const [maxTasksOfRun, maxSteps] = [5_000, 20];

export type RecountResult = {
  tasks: number;
  /** What rebuilds have corrected. */
  correctedFacts: number;
  correctedRollups: number;
  /** Days of tenants that were compared. */
  days: number;
  differences: (RollupDifference & { tenantId: string })[];
};

/**
 * Counts the figures of some tenants and days again from their tasks, compares them with the stored ones, and goes on from
 * there the next time, tenant by tenant and from the start again. Rebuilds that were started come first: they correct
 * facts and figures. Does nothing while another process does it.
 */
export async function recountSome(
  database: Pick<Database, 'inTransaction'>,
  maxTasks = maxTasksOfRun,
): Promise<RecountResult> {
  const result: RecountResult = { tasks: 0, correctedFacts: 0, correctedRollups: 0, days: 0, differences: [] };
  for (let step = 0; step < maxSteps && result.tasks < maxTasks; step += 1) {
    const next = await sweepAlone(database, 'recount', (tx) => recountNext(tx, maxTasks - result.tasks));
    if (!next) break;
    result.tasks += next.tasks;
    result.correctedFacts += next.correctedFacts;
    result.correctedRollups += next.correctedRollups;
    result.days += next.days;
    result.differences.push(...next.differences);
    if (next.isRoundOver) break;
  }
  return result;
}

type Step = RecountResult & { isRoundOver: boolean };

/**
 * The next tasks of one tenant, and the days that are complete with them. What they add to other days is stored, and
 * moves with their facts until the next step, so that a day with any number of tasks is counted exactly.
 */
async function recountNext({ db }: Tx, limit: number): Promise<Step | undefined> {
  const recount = await findRecount(db);
  if (!recount) return undefined;
  const { tenantId, position, day, corrects } = recount;
  const scope = { db, tenantId };
  await lockFacts(scope);
  if (corrects && position === '') await forgetOverdue(scope);
  const range = { after: position, limit };
  const wrongFacts = corrects ? await readWrongFacts(scope, range) : [];
  await correctFacts(scope, wrongFacts);
  const { tasks, lastId, laterFrom, rollups } = await readChunk(scope, range);
  const before = tasks < limit ? null : later(day, laterFrom);
  const earlier = position === '' ? [] : await readRecounted(scope);
  const counted = addByDay([...earlier, ...rollups]);
  const isComplete = (rollup: DayRollup) => before === null || rollup.day < before;
  const complete = counted.filter(isComplete);
  const stored = await readRollups(scope, { from: day, before });
  const differences = compareRollups(stored, complete);
  if (corrects)
    await correctRollups(
      scope,
      differences.map((difference) => rollupOf(difference, complete)),
    );
  await replaceRecounted(
    scope,
    counted.filter((rollup) => !isComplete(rollup)),
  );
  const isRoundOver = await goOn(db, recount, before === null ? undefined : { position: lastId ?? '', day: before });
  return {
    tasks,
    correctedFacts: wrongFacts.length,
    correctedRollups: corrects ? differences.length : 0,
    days: new Set([...stored, ...complete].map((rollup) => rollup.day)).size,
    differences: differences.map((difference) => ({ tenantId, ...difference })),
    isRoundOver,
  };
}

/** Stores how far the recount has come, or begins that of the next tenant. True: it was the last, of the rebuilds or of all. */
async function goOn(db: Db, recount: Recount, rest: Pick<Recount, 'position' | 'day'> | undefined): Promise<boolean> {
  if (rest) {
    await saveRecount(db, { ...recount, ...rest });
    return false;
  }
  await endRecount(db, recount);
  if (recount.corrects) return (await countRebuilds(db, null)) === 0;
  const next = await recountAfter(db, recount.tenantId);
  if (next) await saveRecount(db, next);
  return next === undefined;
}

const rollupOf = ({ day, role }: RollupDifference, counted: readonly DayRollup[]): DayRollup =>
  counted.find((rollup) => rollup.day === day && rollup.role === role) ?? { ...addRollups([]), day, role };

const later = (one: string | null, other: string | null): string | null =>
  one !== null && (other === null || one > other) ? one : other;
