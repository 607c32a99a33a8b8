import type { Page } from '@eas/contracts';
import { AppError } from '@eas/core';
import { type ListSource, type SortKey, sortKeyOf } from './list-source.ts';

/** The row after which a page begins, with its value of the sort key at that time. */
export type Cursor = { id: string; value: unknown };

/** No id has this prefix. */
const prefix = 'v1.';
const maxIdLength = 128;

const sortName = ({ sort: { field, isDescending } }: Page) => (isDescending ? `-${field}` : field);

/** A cursor as clients get it: the position of the row, which later changes of the row do not move. */
export function writeCursor(page: Page, { id, value }: Cursor): string {
  return prefix + Buffer.from(JSON.stringify([sortName(page), id, value ?? null])).toString('base64url');
}

/** Reads a cursor of writeCursor for the same sort; undefined for a plain item id. Throws 400 for any other text. */
export function readCursor(source: ListSource, page: Page): Cursor | undefined {
  const { after = '' } = page;
  if (!after.startsWith(prefix)) return undefined;
  const parts = partsOf(after.slice(prefix.length));
  if (!parts) throw invalidAfter('after must be a cursor of this list.');
  const [sort, id, written] = parts;
  if (sort !== sortName(page))
    throw invalidAfter(`after must be a cursor of the same sort; this one is for sort=${sort}.`);
  const value = valueOf(sortKeyOf(source, page), written);
  if (value === undefined || !isText(id) || id.length > maxIdLength)
    throw invalidAfter('after must be a cursor of this list.');
  return { id, value };
}

export const invalidAfter = (message: string) =>
  new AppError('invalid_request', { field: 'after', constraint: 'format', message });

function partsOf(encoded: string): [sort: string, id: unknown, value: unknown] | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    return Array.isArray(parts) && parts.length === 3 && isText(parts[0])
      ? (parts as [string, unknown, unknown])
      : undefined;
  } catch {
    return undefined;
  }
}

/** The value as a statement parameter; undefined for one that the key never has. */
function valueOf({ sql, type, isNullable, order }: SortKey, written: unknown): unknown {
  if (sql === 'id') return null;
  if (written === null) return isNullable ? null : undefined;
  if (type === 'int' || type === 'bigint') return Number.isSafeInteger(written) ? written : undefined;
  if (!isText(written)) return undefined;
  if (type === 'text') return order === undefined || order.includes(written) ? written : undefined;
  const at = new Date(written);
  return at.getTime() > minTime && at.getTime() < maxTime ? at : undefined;
}

/** Times that Postgres supports and that have a year of four digits. */
const [minTime, maxTime] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')];

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
