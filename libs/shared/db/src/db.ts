import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Prisma } from './generated/client.ts';

/** What stores and read models work with: the pool outside a transaction, its one connection inside. */
export type Db = {
  /** Runs visible SQL, prepared once per connection: texts put together from many parts say that they are not. */
  query<Row extends object>(text: string, values?: readonly unknown[], options?: QueryOptions): Promise<Row[]>;
  /** Prisma on the same connection or pool, for everything that is not hot. Made on first use. */
  readonly prisma: Prisma.TransactionClient;
};

/** `isPrepared: false` plans anew on each call and keeps nothing of the text. */
export type QueryOptions = { isPrepared?: boolean };

/** First parameter of every store and read model: all keys begin with the tenant. */
export type DbScope = { readonly db: Db; readonly tenantId: string };

const statementNames = new Map<string, string>();

/** A stable name per SQL text, so that Postgres parses and plans it once per connection. */
export function statementName(text: string): string {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = createHash('sha1').update(text).digest('base64url');
    statementNames.set(text, name);
  }
  return name;
}

/** Runs one statement on a pool or client. */
export async function runQuery<Row extends object>(
  on: Pick<pg.Pool | pg.PoolClient, 'query'>,
  text: string,
  values: readonly unknown[] = [],
  { isPrepared = true }: QueryOptions = {},
): Promise<Row[]> {
  const name = isPrepared ? statementName(text) : undefined;
  const result = await on.query<Row>({ name, text, values: [...values] });
  return result.rows;
}
