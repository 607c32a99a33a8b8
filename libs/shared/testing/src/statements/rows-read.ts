import type { Database, Db, DbScope } from '@eas/db';

/** Rows read by table, including skipped ones. Partitions count for their table. */
export type RowsRead = Record<string, number>;

/**
 * Runs work in a transaction and counts the rows that the plans of its statements read. Every statement is run twice:
 * explained, which is undone, then as it is.
 */
export async function rowsReadBy(
  { database, tenantId }: { database: Database; tenantId: string },
  work: (scope: DbScope) => Promise<unknown>,
): Promise<RowsRead> {
  const read: RowsRead = {};
  await database.inTransaction(tenantId, async ({ db }) => {
    const query: Db['query'] = async (text, values, options) => {
      if (text.startsWith('SET LOCAL')) return db.query(text, values, options);
      await db.query('SAVEPOINT explained', [], unprepared);
      const [row] = await db.query<ExplainRow>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values, unprepared);
      await db.query('ROLLBACK TO SAVEPOINT explained', [], unprepared);
      countPlan(row?.['QUERY PLAN'][0]?.Plan, read);
      return db.query(text, values, options);
    };
    await work({ db: { query, prisma: db.prisma }, tenantId });
  });
  return read;
}

const unprepared = { isPrepared: false };

type ExplainRow = { 'QUERY PLAN': { Plan: Plan }[] };
type Plan = Record<string, number | string> & { Plans?: Plan[] };

function countPlan(plan: Plan | undefined, read: RowsRead, table?: string): void {
  if (!plan) return;
  const relation = (plan['Relation Name'] as string | undefined) ?? table;
  const name = relation?.replace(/_(default|\d{4}_?\d{2})$/, '');
  const isScan = String(plan['Node Type']).endsWith('Scan') && plan['Node Type'] !== 'CTE Scan';
  if (isScan && name !== undefined) {
    const skipped = Number(plan['Rows Removed by Filter'] ?? 0) + Number(plan['Rows Removed by Index Recheck'] ?? 0);
    read[name] = (read[name] ?? 0) + Number(plan['Actual Loops']) * (Number(plan['Actual Rows']) + skipped);
  }
  for (const inner of plan.Plans ?? []) countPlan(inner, read, isScan ? relation : undefined);
}
