import type { Database, Tx } from '@eas/db';

export type DueRow = { tenantId: string; id: string; dueAt: Date };

const batchSize = 200;

/**
 * Settles rows of any tenants whose time has come, each in its own transaction, and says how many. `dueSql` gives
 * DueRows behind the key ($1 dueAt, $2 id), in its order. `settle` locks the row and looks again: several sweeps may run
 * at once, and what they settle may have changed since it was listed; false: nothing was left to do.
 */
export async function sweepDue<Row extends DueRow>(
  database: Database,
  dueSql: string,
  settle: (tx: Tx, row: Row, at: Date) => Promise<boolean>,
): Promise<number> {
  const failures: unknown[] = [];
  let settledCount = 0;
  let after: [Date | string, string] = ['-infinity', ''];
  for (;;) {
    const batch = await database.db.query<Row>(`${dueSql} LIMIT ${batchSize}`, after);
    for (const row of batch) {
      await database
        .inTransaction(row.tenantId, (tx) => settle(tx, row, database.clock.now()))
        .then((isSettled) => (settledCount += Number(isSettled)))
        // One row that cannot be settled must not hold up those behind it.
        .catch((error: unknown) => failures.push(error));
    }
    const last = batch.at(-1);
    if (!last || batch.length < batchSize) break;
    after = [last.dueAt, last.id];
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} due rows were not settled`);
  return settledCount;
}
