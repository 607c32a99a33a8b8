import type { Database, Db, UseCaseContext } from '@eas/db';
import { sweepDueSteps } from '@eas/workflows';

type PlanNode = {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
};
type Explained = { Plan: PlanNode; 'Execution Time': number };

/** What the statement by which the sweep finds due steps reads; it is explained in place of being run. */
export async function explainSweep({ db }: Database, contextOf: () => UseCaseContext) {
  const explained: Explained[] = [];
  const explaining: Db = {
    ...db,
    async query(text, values) {
      const [row] = await db.query<{ 'QUERY PLAN': Explained[] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
        values,
      );
      explained.push(...(row?.['QUERY PLAN'] ?? []));
      return [];
    },
  };
  await sweepDueSteps(explaining, contextOf);
  const [first] = explained;
  if (!first) throw new Error('the sweep asked nothing');
  const { Plan: plan, 'Execution Time': tookMs } = first;
  return { rowsRead: rowsRead(plan), buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], tookMs };
}

/** Rows that come out of the scans below, those that a filter took away included. */
function rowsRead(node: PlanNode): number {
  if (node.Plans) return node.Plans.map(rowsRead).reduce((sum, rows) => sum + rows, 0);
  return (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
}
