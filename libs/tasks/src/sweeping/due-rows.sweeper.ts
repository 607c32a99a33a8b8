import type { Database, Tx } from '@eas/db';

export type DueRow = { tenantId: string; id: string; dueAt: Date };

const batchSize = 200;

/**
 * Settles due rows of any tenants, each in its own transaction, and returns how many. `dueSql` returns DueRows after
 * the key ($1 dueAt, $2 id), in its order. `settle` locks the row and checks it again: several sweeps may run at once,
 * and the row may have changed since it was listed; false: nothing was left to do.
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
        // One row that cannot be settled must not hold up later ones.
        .catch((error: unknown) => failures.push(error));
    }
    const last = batch.at(-1);
    if (!last || batch.length < batchSize) break;
    after = [last.dueAt, last.id];
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} due rows were not settled`);
  return settledCount;
}
