import type { Page, PageOfItems } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { DbScope } from './db.ts';

/** A list over one table or view that has tenant_id and id. All texts are SQL written by a read model, never input. */
export type ListSource = {
  /** Table, with its alias if the other texts use one. */
  from: string;
  /** Select list of an item; it gives `id`. */
  columns: string;
  /** Rows that the list shows at all. `tenant_id = $1` is added by itself. */
  visible?: string;
  /** Sort field → its SQL expression and type. */
  sortable: Record<string, SortKey>;
};

/** Only what is never null can be read in the order of an index: an expression that may be null says so. */
type SortKey = { sql: string; type: 'text' | 'int' | 'timestamptz'; isNullable?: boolean };

/** One condition; `sql` gets the placeholder of its value. Conditions without a value (undefined) are passed over. */
export type Condition = { sql: (placeholder: string) => string; value: unknown };

/** Filters, sort fields and cursors combine to thousands of texts: kept, each would grow every connection. */
const unprepared = { isPrepared: false };

/** Equality with an SQL expression. */
export const equals = (expression: string, value: unknown): Condition => ({
  sql: (placeholder) => `${expression} = ${placeholder}`,
  value,
});

/**
 * One page and the number of all that match. Null sorts last, ties are broken by id. Cursor pages are keyset pages:
 * stable while items are added. A cursor that names no visible item is 400.
 */
export async function fetchPage<Row extends { id: string }>(
  scope: DbScope,
  source: ListSource,
  conditions: readonly Condition[],
  page: Page,
): Promise<PageOfItems<Row>> {
  const values: unknown[] = [scope.tenantId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const where = ['tenant_id = $1', ...(source.visible ? [source.visible] : [])];
  for (const { sql, value } of conditions) if (value !== undefined) where.push(sql(bind(value)));
  const filter = where.join(' AND ');
  const ofAll = [...values];
  const key = source.sortable[page.sort.field];
  if (!key) throw new Error(`${source.from} cannot be sorted by ${page.sort.field}`);
  const beyond = page.after ? ` AND ${await keysetSql(scope, source, page, bind)}` : '';
  const direction = page.sort.isDescending ? 'DESC' : 'ASC';
  const [[count], rows] = await Promise.all([
    scope.db.query<{ total: number }>(
      `SELECT count(*) AS total FROM ${source.from} WHERE ${filter}`,
      ofAll,
      unprepared,
    ),
    scope.db.query<Row>(
      `SELECT ${source.columns} FROM ${source.from} WHERE ${filter}${beyond}
       ORDER BY ${key.sql} ${direction}${key.isNullable ? ' NULLS LAST' : ''}, id ${direction} LIMIT ${bind(page.limit + 1)} OFFSET ${bind(page.offset)}`,
      values,
      unprepared,
    ),
  ]);
  return { items: rows.slice(0, page.limit), total: count?.total ?? 0, hasMore: rows.length > page.limit };
}

/** The condition that only rows behind the cursor's row meet. */
async function keysetSql(
  { db, tenantId }: DbScope,
  { from, visible, sortable }: ListSource,
  { after, sort }: Page,
  bind: (value: unknown) => string,
): Promise<string> {
  const key = sortable[sort.field];
  if (!key || after === undefined) throw new Error('a keyset needs a sort field and a cursor');
  const [row] = await db.query<{ value: unknown }>(
    `SELECT ${key.sql} AS value FROM ${from} WHERE tenant_id = $1 AND id = $2${visible ? ` AND ${visible}` : ''}`,
    [tenantId, after],
    unprepared,
  );
  if (!row) {
    const message = 'after names no item of this list';
    throw new AppError('invalid_request', { field: 'after', constraint: 'format', message });
  }
  const sign = sort.isDescending ? '<' : '>';
  const id = bind(after);
  if (!key.isNullable) return `(${key.sql}, id) ${sign} (${bind(row.value)}::${key.type}, ${id})`;
  if (row.value === null) return `(${key.sql} IS NULL AND id ${sign} ${id})`;
  const value = `${bind(row.value)}::${key.type}`;
  return `(${key.sql} ${sign} ${value} OR (${key.sql} = ${value} AND id ${sign} ${id}) OR ${key.sql} IS NULL)`;
}
