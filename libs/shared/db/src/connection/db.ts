import { createHash } from 'node:crypto';
import { AppError } from '@eas/core';
import pg from 'pg';
import type { Prisma } from '../generated/client.ts';

/** What stores and read models work with: the pool outside a transaction, its one connection inside. */
export type Db = {
  /** Runs visible SQL, prepared once per connection: texts put together from many parts say that they are not. */
  query<Row extends object>(text: string, values?: readonly unknown[], options?: QueryOptions): Promise<Row[]>;
  /** Prisma on the same connection or pool, for everything that is not hot. Made on first use. */
  readonly prisma: Prisma.TransactionClient;
};

/** `isPrepared: false` plans on each call and keeps nothing. Results over `maxBytes` (64 MiB) fail: ResultTooLarge. */
export type QueryOptions = { isPrepared?: boolean; maxBytes?: number };

/** First parameter of every store and read model: all keys begin with the tenant. */
export type DbScope = { readonly db: Db; readonly tenantId: string };

/** A result that would take too much memory: its rows are dropped as they arrive. */
export class ResultTooLarge extends AppError {
  constructor(readBytes = 0) {
    super('server_error', { message: 'The result is too large. Use a smaller limit.', readBytes });
  }
}

const defaultMaxBytes = 64 * 1_024 * 1_024;

/** Parsers of values that count what passes through them. */
function countingTypes(maxBytes: number): pg.CustomTypesConfig {
  let bytes = 0;
  return {
    getTypeParser: (type, format) => {
      const parse = pg.types.getTypeParser(type, format);
      return (text: string) => {
        bytes += Buffer.byteLength(text);
        if (bytes > maxBytes) throw new ResultTooLarge(bytes);
        return parse(text);
      };
    },
  } as pg.CustomTypesConfig;
}

const statementNames = new Map<string, string>();

/** A stable name per SQL text, so that Postgres parses and plans it once per connection. */
function statementName(text: string): string {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = createHash('sha1').update(text).digest('base64url');
    statementNames.set(text, name);
  }
  return name;
}

export async function runQuery<Row extends object>(
  on: Pick<pg.Pool | pg.PoolClient, 'query'>,
  text: string,
  values: readonly unknown[] = [],
  { isPrepared = true, maxBytes = defaultMaxBytes }: QueryOptions = {},
): Promise<Row[]> {
  const name = isPrepared ? statementName(text) : undefined;
  const result = await on.query<Row>({ name, text, values: [...values], types: countingTypes(maxBytes) });
  return result.rows;
}
