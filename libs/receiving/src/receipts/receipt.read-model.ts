import type { InboundEventListQuery } from '@eas/contracts';
import { idLowerBound } from '@eas/core';
import { type Db, type DbScope, inIndexOrderSql, type Tx } from '@eas/db';
import type { Receipt } from './receipt.ts';

const columns = `
  id, source, integration_ref AS "integrationRef", event, external_id AS "externalId", received_at AS "receivedAt",
  status, settled_at AS "settledAt", outcome, repeats, octet_length(body) AS "bodyBytes"`;

const oneSql = `SELECT ${columns}, body FROM inbound_events WHERE tenant_id = $1 AND id = $2`;

export async function findReceipt(
  { db, tenantId }: DbScope,
  id: string,
): Promise<(Receipt & { body: string | null }) | undefined> {
  const [row] = await db.query<Receipt & { body: string | null }>(oneSql, [tenantId, id]);
  return row;
}

export type ReceiptFilter = Omit<InboundEventListQuery, 'limit' | 'after'>;

/** `nextCursor`: behind it more may follow. */
export type ReceiptPage = { items: Receipt[]; nextCursor: string | null };

/** Receipts that one page looks at, whatever its filter finds. */
const maxScanned = 10_000;

/** Ids have the time of the process that made them, `received_at` that of the database. */
const clockSkewMs = 60_000;

/**
 * The newest receipts before `after` that match, read in the order of an index. Where no index serves the whole filter,
 * a bounded number is looked at, and the page may be short.
 */
export async function pageReceipts(
  { db, tenantId }: Tx,
  filter: ReceiptFilter,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<ReceiptPage> {
  const { range, matching, isWhole } = selectReceipts(tenantId, filter, { below: after });
  const scanned = `(SELECT * FROM inbound_events WHERE ${range.sql} ORDER BY id DESC LIMIT ${maxScanned}) AS scanned`;
  await db.query(inIndexOrderSql);
  const rows = await db.query<Receipt>(
    `SELECT ${columns} FROM ${scanned} WHERE ${matching.sql} ORDER BY id DESC LIMIT ${limit + 1}`,
    matching.values,
    { isPrepared: false },
  );
  const items = rows.slice(0, limit);
  if (rows.length > limit) return { items, nextCursor: items.at(-1)?.id ?? null };
  if (isWhole) return { items, nextCursor: null };
  return { items, nextCursor: await lastScanned(db, scanned, range.values) };
}

/** The last receipt that was looked at, if there may be more behind it. */
async function lastScanned(db: Db, scanned: string, values: unknown[]): Promise<string | null> {
  const sql = `SELECT id FROM ${scanned} ORDER BY id DESC OFFSET ${maxScanned - 1} LIMIT 1`;
  const [row] = await db.query<{ id: string }>(sql, values, { isPrepared: false });
  return row?.id ?? null;
}

/** Ids that bound what is looked at; neither of them is part of it. */
export type IdRange = { above?: string | undefined; below?: string | undefined };

/**
 * Conditions of the receipts to look at, which are a range of an index, and of those to find among them. `isWhole`: what
 * is looked at is what is found. Values are those of both.
 */
export function selectReceipts(tenantId: string, filter: ReceiptFilter, ids: IdRange) {
  const indexed = indexedColumn(filter);
  const range = writeConditions([tenantId], ['tenant_id = $1', ...rangeOf(filter, indexed, ids)]);
  const rest = restOf(filter, indexed);
  return { range, matching: writeConditions(range.values, ['true', ...rest]), isWhole: rest.length === 0 };
}

/** SQL as it is, or up to where its value stands. */
type Written = string | [sql: string, value: unknown];

function writeConditions(before: readonly unknown[], conditions: readonly Written[]) {
  const values = [...before];
  const write = (one: Written) => (typeof one === 'string' ? one : `${one[0]} $${values.push(one[1])}`);
  return { sql: conditions.map(write).join(' AND '), values };
}

type Column = 'external_id' | 'status' | 'integration_ref' | 'source' | 'event';

const equalities = (filter: ReceiptFilter): [Column, string | undefined][] => [
  ['external_id', filter.external_id],
  ['status', filter.state],
  ['integration_ref', filter.integration_id],
  ['source', filter.source],
  ['event', filter.event],
];

/** The filter that leaves the fewest, of those that an index serves together with the order. */
function indexedColumn({ state, integration_id: integrationId }: ReceiptFilter) {
  if (state === 'failed' || state === 'quarantined') return 'status';
  return integrationId === undefined ? undefined : 'integration_ref';
}

/** Which receipts are looked at: a range of an index. */
function rangeOf(filter: ReceiptFilter, indexed: Column | undefined, { above, below }: IdRange): Written[] {
  const { received_after: from, received_before: before } = filter;
  const written: Written[] = [];
  for (const [column, value] of equalities(filter))
    // A status is written out, so that the partial index is known to have all of them.
    if (column === indexed) written.push(column === 'status' ? `status = '${value}'` : [`${column} =`, value]);
  if (above !== undefined) written.push(['id >', above]);
  if (below !== undefined) written.push(['id <', below]);
  if (from) written.push(['id >=', idAt(from.getTime() - clockSkewMs)]);
  if (before) written.push(['id <', idAt(before.getTime() + clockSkewMs)]);
  return written;
}

/** What is looked for among them. */
function restOf(filter: ReceiptFilter, indexed: Column | undefined): Written[] {
  const { received_after: from, received_before: before } = filter;
  const written: Written[] = [];
  for (const [column, value] of equalities(filter))
    if (column !== indexed && value !== undefined) written.push([`${column} =`, value]);
  if (from) written.push(['received_at >=', from]);
  if (before) written.push(['received_at <', before]);
  return written;
}

const idAt = (ms: number) => idLowerBound('inboundEvent', Math.max(0, ms));
