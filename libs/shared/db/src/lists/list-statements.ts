import { maxCounted, type Page } from '@eas/contracts';
import type { Cursor } from './list-cursor.ts';
import { type Condition, type IdIndex, type ListSource, type SortKey, sortKeyOf } from './list-source.ts';

export type AskedList = { tenantId: string; source: ListSource; conditions: readonly Condition[]; page: Page };
/** Additional columns of rows: their value of the sort key, and the number of matches if it is stored. */
export type Carried = { listValue?: unknown; listTotal?: number };
export type Statement = { text: string; values: unknown[] };
type Bind = (value: unknown) => string;

/** The rows of the page and one more, which shows whether rows follow. */
export function pageStatement(list: AskedList, cursor: Cursor | undefined): Statement {
  const { source, page } = list;
  const { values, bind } = binding(list);
  const key = sortKeyOf(source, page);
  const ids = idsSql(list, key, cursor, bind);
  const where = ids
    ? `tenant_id = $1${withinSql(list, bind)} AND id IN (${ids})`
    : filterSql(list, bind) + keysetSql(list, key, cursor, bind);
  const order = orderBy(page, rankOf(key), key.isNullable ? ' NULLS LAST' : '');
  const value = key.sql === 'id' ? '' : `, ${key.sql} AS "listValue"`;
  const total = isTotalKept(list) ? `, (SELECT ${keptTotalSql(list, bind)}) AS "listTotal"` : '';
  const text = `SELECT ${source.columns}${value}${total} FROM ${source.from} WHERE ${where}
    ORDER BY ${order} LIMIT ${bind(page.limit + 1)} OFFSET ${bind(page.offset)}`;
  return { text, values };
}

/** Whether the total comes from stored numbers, and costs next to nothing. */
export function isTotalKept({ source: { totals }, conditions }: AskedList): boolean {
  return totals !== undefined && conditions.every(({ on }) => on !== undefined && on in totals.columns);
}

/** The number of matches: from stored numbers, otherwise counted up to `maxCounted` + 1. */
export function totalStatement(list: AskedList): Statement {
  const { source } = list;
  const { values, bind } = binding(list);
  if (isTotalKept(list)) return { text: `SELECT ${keptTotalSql(list, bind)}`, values };
  const alone = soleIndex(list);
  // An index by distance is only read for an order, and a total has none.
  const matching =
    alone && alone.ids.nearest === undefined
      ? `${alone.ids.from} WHERE tenant_id = $1 AND ${alone.ids.sql(bind(alone.value))}`
      : `${source.countFrom ?? source.from} WHERE ${filterSql(list, bind)}`;
  return {
    text: `SELECT count(*) AS total FROM (SELECT FROM ${matching} LIMIT ${maxCounted + 1}) AS matching`,
    values,
  };
}

function keptTotalSql({ source: { totals }, conditions }: AskedList, bind: Bind): string {
  const where = conditions.map(({ on = '', value }) => ` AND ${totals?.columns[on]} = ${bind(value)}`).join('');
  return `coalesce(sum(n), 0)::bigint AS total FROM ${totals?.from} WHERE tenant_id = $1${where}`;
}

/** The cursor's row, as long as the list shows it. */
export function cursorStatement(list: AskedList): Statement {
  const { source, page } = list;
  const { values, bind } = binding(list);
  const shown = `${shownSql(source)} AND id = ${bind(page.after)}${withinSql(list, bind)}`;
  return { text: `SELECT ${sortKeyOf(source, page).sql} AS value FROM ${source.from} WHERE ${shown}`, values };
}

/**
 * If no single index has the rows in the order of the page: the ids of enough rows to fill it, from the narrow index of
 * the only condition, or from the parts of a sort, each read in the order of its index.
 */
function idsSql(list: AskedList, key: SortKey, cursor: Cursor | undefined, bind: Bind): string | undefined {
  const { source, page } = list;
  const enough = () => bind(page.limit + 1 + page.offset);
  const alone = key.sql === 'id' ? soleIndex(list) : undefined;
  if (alone) return narrowSql(page, alone.ids, bind(alone.value), cursor && bind(cursor.id), enough());
  const parts = partsOf(key, page, cursor);
  if (parts.length === 0) return undefined;
  const statements = parts.map((is, index) => {
    const beyond = index === 0 ? keysetSql(list, key, cursor, bind) : '';
    return `(SELECT id, ${index} AS part FROM ${source.from} WHERE ${filterSql(list, bind)} AND ${key.sql} ${is}${beyond}
      ORDER BY ${orderBy(page, key)} LIMIT ${enough()})`;
  });
  const first = key.order ? ` ORDER BY part, id ${directionOf(page)} LIMIT ${enough()}` : '';
  return `SELECT id FROM (${statements.join(' UNION ALL ')}) AS parts${first}`;
}

/** The key in each part of the list, starting at the part with the cursor. Null is last. */
function partsOf({ order, isNullable }: SortKey, page: Page, cursor: Cursor | undefined): string[] {
  if (!order && !isNullable) return [];
  const values = order?.map((value) => `= '${value}'`) ?? ['IS NOT NULL'];
  const parts = page.sort.isDescending ? values.reverse() : values;
  const found = cursor && order ? parts.indexOf(`= '${String(cursor.value)}'`) : 0;
  const withNull = isNullable ? [...parts, 'IS NULL'] : parts;
  return withNull.slice(cursor?.value === null ? -1 : found);
}

function narrowSql(page: Page, ids: IdIndex, value: string, cursorId: string | undefined, enough: string): string {
  const { from, id, sql, isNull, nearest } = ids;
  const [sign, farthest] = page.sort.isDescending ? ['<', '9999-12-31'] : ['>', '0001-01-01'];
  const beyond = [`${id} ${sign} ${cursorId}`];
  // Distance is measured from the cursor: otherwise all rows before it would be read.
  if (nearest)
    beyond.push(`${nearest} ${sign}= (SELECT ${nearest} FROM ${from} WHERE tenant_id = $1 AND ${id} = ${cursorId})`);
  const direction = directionOf(page);
  const order = nearest ? `${nearest} <-> timestamptz '${farthest}', ` : isNull ? `${isNull} ${direction}, ` : '';
  return `SELECT ${id} FROM ${from} WHERE ${['tenant_id = $1', sql(value), ...(cursorId ? beyond : [])].join(' AND ')}
    ORDER BY ${order}${id} ${direction} LIMIT ${enough}`;
}

/** The condition, when it is the only one and has an index of its own. */
function soleIndex({ source, conditions: [first, ...more] }: AskedList): (Condition & { ids: IdIndex }) | undefined {
  const ids = first?.ids;
  return ids && more.length === 0 && !source.visible ? { ...first, ids } : undefined;
}

/** The condition for rows after the cursor's row, ties by id. Null is last. */
function keysetSql({ page }: AskedList, key: SortKey, cursor: Cursor | undefined, bind: Bind): string {
  if (!cursor) return '';
  const sign = page.sort.isDescending ? '<' : '>';
  if (key.sql === 'id' || key.order || cursor.value === null) return ` AND id ${sign} ${bind(cursor.id)}`;
  if (key.isUnique) return ` AND ${key.sql} ${sign} ${bind(cursor.value)}::${key.type}`;
  return ` AND (${key.sql}, id) ${sign} (${bind(cursor.value)}::${key.type}, ${bind(cursor.id)})`;
}

/** The sort expression: a value with its own order sorts by its position there. */
function rankOf(key: SortKey): SortKey {
  if (!key.order) return key;
  const values = key.order.map((value) => `'${value}'`);
  return { ...key, sql: `array_position(ARRAY[${values.join(', ')}], ${key.sql})` };
}

const directionOf = ({ sort }: Page) => (sort.isDescending ? 'DESC' : 'ASC');

function orderBy(page: Page, key: SortKey, nulls = ''): string {
  const direction = directionOf(page);
  return key.sql === 'id' || key.isUnique
    ? `${key.sql} ${direction}`
    : `${key.sql} ${direction}${nulls}, id ${direction}`;
}

/** Where ids are unique only within these conditions, an id alone does not identify the row. */
function withinSql({ conditions }: AskedList, bind: Bind): string {
  const within = conditions.filter(({ isWithin }) => isWithin);
  return within.map(({ sql, value }) => ` AND ${sql(bind(value))}`).join('');
}

function shownSql({ visible }: ListSource): string {
  return visible ? `tenant_id = $1 AND ${visible}` : 'tenant_id = $1';
}

function filterSql({ source, conditions }: AskedList, bind: Bind): string {
  return [shownSql(source), ...conditions.map(({ sql, value }) => sql(bind(value)))].join(' AND ');
}

function binding({ tenantId }: AskedList): { values: unknown[]; bind: Bind } {
  const values: unknown[] = [tenantId];
  return { values, bind: (value) => `$${values.push(value)}` };
}
