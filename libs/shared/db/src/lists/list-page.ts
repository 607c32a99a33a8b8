import type { Page, PageOfItems } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { Db, DbScope } from '../db.ts';
import type { Condition, ListSource } from './list-source.ts';
import {
  type AskedList,
  type Cursor,
  cursorStatement,
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
  const run = <R extends object>(statement: Statement) => readTogether<R>(db, statement, isKept(list, statement.text));
  const rowsBehind = (cursor?: Cursor) => run<Row>(pageStatement(list, cursor));
  const [[count], rows] = await Promise.all([
    run<{ total: number }>(totalStatement(list)),
    page.after ? findCursor(list, page.after, run).then(rowsBehind) : rowsBehind(),
  ]);
  return { items: rows.slice(0, page.limit), total: count?.total ?? 0, hasMore: rows.length > page.limit };
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

const asked = new WeakMap<Db, Map<string, Promise<object[]>>>();

/** Calls of one moment that ask the same share one answer. It is read after all of them have asked: none is older. */
function readTogether<R extends object>(db: Db, { text, values }: Statement, isPrepared: boolean): Promise<R[]> {
  const waiting = asked.get(db) ?? new Map<string, Promise<object[]>>();
  asked.set(db, waiting);
  const key = JSON.stringify([text, values]);
  const answer =
    waiting.get(key) ??
    new Promise((resolve) => setImmediate(resolve)).then(() => {
      waiting.delete(key);
      return db.query<R>(text, values, { isPrepared });
    });
  waiting.set(key, answer);
  return answer as Promise<R[]>;
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
