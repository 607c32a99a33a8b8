import type { Page, PageOfItems } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { DbScope } from '../db.ts';
import type { Condition, ListSource } from './list-source.ts';
import {
  type AskedList,
  type CarriedTotal,
  type Cursor,
  cursorStatement,
  isTotalKept,
  pageStatement,
  type Statement,
  totalStatement,
} from './list-statements.ts';

/**
 * One page and the number of all that match. Null sorts last, ties are broken by id. Cursor pages are keyset pages:
 * stable while items are added. A cursor that names no visible item is 400.
 */
export async function fetchPage<Row extends { id: string }>(
  { db, tenantId }: DbScope,
  source: ListSource,
  conditions: readonly Condition[],
  page: Page,
): Promise<PageOfItems<Row>> {
  const list: AskedList = { tenantId, source, page, conditions: conditions.filter(({ value }) => value !== undefined) };
  const run = <R extends object>({ text, values }: Statement) =>
    db.query<R>(text, values, { isPrepared: isKept(list, text) });
  const rowsBehind = (cursor?: Cursor) => run<Row & CarriedTotal>(pageStatement(list, cursor));
  const count = async () => (await run<{ total: number }>(totalStatement(list)))[0]?.total ?? 0;
  const [rows, counted] = await Promise.all([
    page.after ? findCursor(list, page.after, run).then(rowsBehind) : rowsBehind(),
    isTotalKept(list) ? undefined : count(),
  ]);
  const total = counted ?? rows[0]?.listTotal ?? (await count());
  return { items: rows.slice(0, page.limit), total, hasMore: rows.length > page.limit };
}

async function findCursor(
  list: AskedList,
  id: string,
  run: (statement: Statement) => Promise<{ value: unknown }[]>,
): Promise<Cursor> {
  const [row] = await run(cursorStatement(list));
  if (row) return { id, value: row.value };
  const message = 'after names no item of this list';
  throw new AppError('invalid_request', { field: 'after', constraint: 'format', message });
}

/** Filters, sort fields and cursors combine to thousands of texts: kept, each would grow every connection. */
const keptTexts = new Set<string>();
const maxKeptTexts = 100;

/** Texts with a filter at most are prepared, as many as there is room for in a process; any other is planned anew. */
function isKept({ conditions }: AskedList, text: string): boolean {
  if (conditions.length > 1) return false;
  if (keptTexts.size < maxKeptTexts) keptTexts.add(text);
  return keptTexts.has(text);
}
