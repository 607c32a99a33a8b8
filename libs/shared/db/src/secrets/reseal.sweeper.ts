import { keyIdOf, type SealedCell, type SecretBox } from '@eas/core';
import type { Db } from '../connection/db.ts';
import type { UseCaseContext } from '../context.ts';

/** A table with sealed columns. Its primary key is the tenant's id and `ids`, all of them texts. */
export type SealedTable<Column extends string = string> = {
  table: string;
  ids: readonly string[];
  /** Further columns that `cellOf` needs. */
  cellColumns?: readonly string[];
  columns: readonly Column[];
  /** The cell of a value of the row; `values`: those of `ids`, then of `cellColumns`. */
  cellOf(tenantId: string, values: readonly string[], column: Column): SealedCell;
};

/** `unreadable`: no key of ENCRYPTION_KEY opens them. */
export type Resealed = { table: string; resealed: number; unreadable: number };

type Row = { tenantId: string; ids: string[]; values: (string | null)[]; sealed: (string | null)[] };

const batchRows = 200;

const arrayOf = (columns: readonly string[]) => `ARRAY[${columns.map((name) => `${name}::text`).join(', ')}]`;
const byOthers = (columns: readonly string[], parameter: string) =>
  columns.map((name) => `split_part(${name}, '.', 2) <> ${parameter}`).join(' OR ');

/** By the primary key from the last row on, and locked in its order: no two batches wait for each other. */
function batchSql({ table, ids, cellColumns = [], columns }: SealedTable): string {
  const key = ['tenant_id', ...ids].join(', ');
  const after = ['tenant_id', ...ids].map((_, at) => `$${at + 2}`).join(', ');
  return `
    SELECT tenant_id AS "tenantId", ${arrayOf(ids)} AS ids, ${arrayOf([...ids, ...cellColumns])} AS values,
      ${arrayOf(columns)} AS sealed
    FROM ${table} WHERE (${key}) > (${after}) AND (${byOthers(columns, '$1')})
    ORDER BY ${key} LIMIT ${batchRows} FOR NO KEY UPDATE`;
}

function updateSql({ table, ids, columns }: SealedTable): string {
  const names = ['tenant_id', ...ids, ...columns];
  const arrays = names.map((_, at) => `$${at + 1}::text[]`).join(', ');
  const isSame = ['tenant_id', ...ids].map((name) => `t.${name} = v.${name}`).join(' AND ');
  const set = columns.map((name) => `${name} = v.${name}`).join(', ');
  return `UPDATE ${table} t SET ${set} FROM unnest(${arrays}) AS v (${names.join(', ')}) WHERE ${isSame}`;
}

/**
 * Reseals with the first key what other keys sealed in the table, a few rows per transaction. It may be stopped at any
 * time and run again, also by several processes at once and while the system runs.
 */
export async function reseal(
  { inTransaction, secrets }: Pick<UseCaseContext, 'inTransaction' | 'secrets'>,
  sealed: SealedTable,
): Promise<Resealed> {
  const done = { table: sealed.table, resealed: 0, unreadable: 0 };
  let after = ['', ...sealed.ids.map(() => '')];
  for (;;) {
    const rows = await inTransaction(({ db }) => resealBatch(db, secrets, sealed, after, done));
    const last = rows.at(-1);
    if (!last || rows.length < batchRows) return done;
    after = [last.tenantId, ...last.ids];
  }
}

async function resealBatch(
  db: Db,
  secrets: SecretBox,
  sealed: SealedTable,
  after: readonly string[],
  done: Resealed,
): Promise<Row[]> {
  const rows = await db.query<Row>(batchSql(sealed), [secrets.keyId, ...after]);
  const changed = rows.map((row) => sealRow(secrets, sealed, row, done)).filter((row) => row !== undefined);
  if (changed.length > 0) {
    const names = [0, ...sealed.ids.keys()];
    const keys = names.map((_, at) => changed.map(({ tenantId, ids }) => [tenantId, ...ids][at] ?? ''));
    const texts = sealed.columns.map((_, at) => changed.map((row) => row.sealed[at] ?? null));
    await db.query(updateSql(sealed), [...keys, ...texts]);
  }
  return rows;
}

/** Undefined: no value of the row could be opened. */
function sealRow(secrets: SecretBox, { columns, cellOf }: SealedTable, row: Row, done: Resealed): Row | undefined {
  let count = 0;
  const sealed = row.sealed.map((text, at) => {
    if (text === null || keyIdOf(text) === secrets.keyId) return text;
    const cell = cellOf(
      row.tenantId,
      row.values.map((value) => value ?? ''),
      columns[at] ?? '',
    );
    const plain = openOrNot(secrets, text, cell);
    if (plain === undefined) {
      done.unreadable += 1;
      return text;
    }
    count += 1;
    return secrets.seal(plain, cell);
  });
  done.resealed += count;
  return count === 0 ? undefined : { ...row, sealed };
}

function openOrNot(secrets: SecretBox, text: string, cell: SealedCell): string | undefined {
  try {
    return secrets.open(text, cell);
  } catch {
    return undefined;
  }
}

/** The number of values in the table that were sealed with other keys, by key id. */
export async function countSealed(
  db: Db,
  { table, columns }: SealedTable,
  keyId: string,
): Promise<{ keyId: string; count: number }[]> {
  const texts = columns.map((name) => `SELECT split_part(${name}, '.', 2) AS id FROM ${table}`).join(' UNION ALL ');
  return db.query(
    `SELECT id AS "keyId", count(*)::int AS count FROM (${texts}) AS texts WHERE id <> $1 GROUP BY id ORDER BY id`,
    [keyId],
  );
}
