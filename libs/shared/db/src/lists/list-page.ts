import { maxCounted, maxPageBytes, type Page, type PageOfItems } from '@eas/contracts';
import { AppError } from '@eas/core';
import { type DbScope, ResultTooLarge } from '../connection/db.ts';
import { type Cursor, invalidAfter, readCursor, writeCursor } from './list-cursor.ts';
import type { Condition, ListSource } from './list-source.ts';
import {
  type AskedList,
  type Carried,
  cursorStatement,
  isTotalKept,
  pageStatement,
  type Statement,
  totalStatement,
} from './list-statements.ts';

/**
 * One page and the number of matches, exact if it is stored, otherwise counted up to a limit. Null sorts last, ties are
 * broken by id. Cursor pages are keyset pages: a cursor keeps its position whatever is added, changed or removed. An
 * item id in its place means the current position of that item; an id without a visible item is 400.
 */
export async function fetchPage<Row extends { id: string }>(
  { db, tenantId }: DbScope,
  source: ListSource,
  conditions: readonly Condition[],
  page: Page,
): Promise<PageOfItems<Row>> {
  const list: AskedList = { tenantId, source, page, conditions: conditions.filter(({ value }) => value !== undefined) };
  const run = <R extends object>({ text, values }: Statement) =>
    db.query<R>(text, values, { isPrepared: isKept(list, text), maxBytes: maxPageBytes }).catch(failPage);
  const rowsBehind = (cursor?: Cursor) => run<Row & Carried>(pageStatement(list, cursor));
  const count = async () => (await run<{ total: number }>(totalStatement(list)))[0]?.total ?? 0;
  const cursor = readCursor(source, page);
  const [rows, counted] = await Promise.all([
    page.after && !cursor ? findCursor(list, page.after, run).then(rowsBehind) : rowsBehind(cursor),
    isTotalKept(list) ? undefined : count(),
  ]);
  const shown = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? shown.at(-1) : undefined;
  const isTotalCut = counted !== undefined && counted > maxCounted;
  return {
    items: shown.map(ownColumns),
    total: isTotalCut ? maxCounted : (counted ?? rows[0]?.listTotal ?? (await count())),
    isTotalCut,
    nextCursor: last ? writeCursor(page, { id: last.id, value: last.listValue }) : null,
  };
}

function ownColumns<Row>({ listValue: _value, listTotal: _total, ...row }: Row & Carried): Row {
  return row as Row;
}

function failPage(error: unknown): never {
  if (!(error instanceof ResultTooLarge)) throw error;
  const message = `The page is larger than ${maxPageBytes} bytes. Use a smaller limit.`;
  throw new AppError('invalid_request', {
    field: 'limit',
    constraint: 'max_size',
    message,
    readBytes: error.readBytes,
  });
}

async function findCursor(
  list: AskedList,
  id: string,
  run: (statement: Statement) => Promise<{ value: unknown }[]>,
): Promise<Cursor> {
  const [row] = await run(cursorStatement(list));
  if (row) return { id, value: row.value };
  throw invalidAfter('after must be the id of an item in this list.');
}

/**
 * Filters, sort fields and cursors combine to thousands of texts: prepared, each would take memory in every connection.
 */
const keptTexts = new Set<string>();
const maxKeptTexts = 100;

/** Texts with at most one filter are prepared, up to a limit per process; others are planned each time. */
function isKept({ conditions }: AskedList, text: string): boolean {
  if (conditions.length > 1) return false;
  if (keptTexts.size < maxKeptTexts) keptTexts.add(text);
  return keptTexts.has(text);
}
