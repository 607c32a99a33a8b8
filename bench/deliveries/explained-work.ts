import type { Database, Db, Tx, UseCaseContext } from '@eas/db';
import { contextInTransaction, gatherTogether } from '@eas/db';

/** What a statement read: rows that its scans gave or skipped, pages of 8 kB, and how long it took in ms. */
export type StatementCost = { text: string; rows: number; pages: number; tookMs: number; plan: PlanNode };

/** custom: planned with the values at hand, as a statement's first runs are; generic: without, as later runs may be. */
export type Planning = 'custom' | 'generic';

type PlanNode = Record<string, unknown> & { Plans?: PlanNode[] };
type Explained = { 'QUERY PLAN': { Plan: PlanNode; 'Execution Time': number }[] };

/** `db`: the same transaction, without the explaining, for what has to be there first. */
type Work = (ctx: UseCaseContext, db: Db) => Promise<unknown>;

/**
 * Runs work in a transaction that is undone, and explains its statements: each is run twice, the first time undone. Gives
 * what each text read in all its runs, in the order in which they first came.
 */
export async function explainWork(
  { database, ctx, planning }: { database: Database; ctx: UseCaseContext; planning: Planning },
  work: Work,
): Promise<StatementCost[]> {
  const costs = new Map<string, StatementCost>();
  const undone = new Error('undone');
  await database
    .inTransaction(ctx.tenantId, async (tx) => {
      const explaining: Tx = { ...tx, db: explainingDb(tx.db, planning, costs) };
      await work({ ...contextInTransaction(ctx, explaining), gather: gatherTogether(explaining) }, tx.db);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return [...costs.values()];
}

/** One statement after another: what is explained is undone before the next begins. */
function explainingDb(db: Db, planning: Planning, costs: Map<string, StatementCost>): Db {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(next: () => Promise<T>): Promise<T> => {
    const done = last.then(next);
    last = done.catch(() => {});
    return done;
  };
  const query: Db['query'] = (text, values = [], options) =>
    inTurn(async () => {
      if (!isPlanned(text)) return db.query(text, values, options);
      await db.query('SAVEPOINT explained', [], unprepared);
      const { Plan: plan, 'Execution Time': tookMs } = await explain(db, planning, text, values);
      await db.query('ROLLBACK TO SAVEPOINT explained', [], unprepared);
      const before = costs.get(text) ?? { text, rows: 0, pages: 0, tookMs: 0 };
      const pages = before.pages + Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']);
      costs.set(text, { text, rows: before.rows + rowsRead(plan), pages, tookMs: before.tookMs + tookMs, plan });
      return db.query(text, values, options);
    });
  return { query, prisma: db.prisma };
}

const unprepared = { isPrepared: false };
const isPlanned = (text: string) => !/^(SET LOCAL|SAVEPOINT|RELEASE|ROLLBACK)/.test(text);

async function explain(db: Db, planning: Planning, text: string, values: readonly unknown[]) {
  await db.query(`SET LOCAL plan_cache_mode = force_${planning}_plan`, [], unprepared);
  await db.query(`PREPARE explained_statement AS ${text}`, [], unprepared);
  const given = values.length > 0 ? `(${values.map(literal).join(', ')})` : '';
  const [row] = await db.query<Explained>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE explained_statement${given}`,
    [],
    unprepared,
  );
  await db.query('DEALLOCATE explained_statement', [], unprepared);
  const explained = row?.['QUERY PLAN'][0];
  if (!explained) throw new Error('a statement without a plan');
  return explained;
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (Array.isArray(value)) return literal(`{${value.map(element).join(',')}}`);
  if (value instanceof Date) return literal(value.toISOString());
  return `'${String(value).replaceAll("'", "''")}'`;
}

const element = (value: unknown) => (value === null ? 'NULL' : JSON.stringify(String(value)));

function rowsRead(node: PlanNode): number {
  const inner = (node.Plans ?? []).map(rowsRead).reduce((sum, rows) => sum + rows, 0);
  const type = String(node['Node Type']);
  if (!type.endsWith('Scan') || derived.includes(type)) return inner;
  const keys = ['Actual Rows', 'Rows Removed by Filter', 'Rows Removed by Index Recheck'];
  return inner + keys.reduce((sum, key) => sum + Number(node[key] ?? 0), 0) * Number(node['Actual Loops']);
}

/** Scans of what a statement made itself, or was given. */
const derived = ['CTE Scan', 'Subquery Scan', 'Function Scan', 'Values Scan', 'WorkTable Scan'];
