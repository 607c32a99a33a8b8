import { createHash } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { AppError } from '@eas/core';
import pg from 'pg';
import { prismaOn } from './prisma.ts';
import type { Prisma } from '../generated/client.ts';

/** What stores and read models work with: the pool outside a transaction, its one connection inside. */
export type Db = {
  /** Runs visible SQL, prepared once per connection, unless the text is composed of many parts. */
  query<Row extends object>(text: string, values?: readonly unknown[], options?: QueryOptions): Promise<Row[]>;
  /** Prisma on the same connection or pool, for everything that is not hot. Created on first use. */
  readonly prisma: Prisma.TransactionClient;
};

/**
 * `isPrepared: false` plans on each call and prepares nothing. Results over `maxBytes` (64 MiB) fail: ResultTooLarge.
 */
type QueryOptions = { isPrepared?: boolean; maxBytes?: number };

/** Runs statements: a pool, or the connection of a transaction. */
export type Queryable = { query(statement: pg.QueryConfig | pg.QueryArrayConfig): Promise<pg.QueryResult> };

/** Runs each statement on what `current` returns; `current` throws when there is nothing to run it on. */
export function dbOn(current: () => Queryable): Db {
  let prisma: Db['prisma'] | undefined;
  return {
    query: (text, values, options) => runQuery(current(), text, values, options),
    get prisma() {
      return (prisma ??= prismaOn(current));
    },
  };
}

/** First parameter of every store and read model: all keys begin with the tenant. */
export type DbScope = { readonly db: Db; readonly tenantId: string };

/** A result that would take too much memory: its rows are dropped as they arrive. */
export class ResultTooLarge extends AppError {
  constructor(readBytes = 0) {
    super('server_error', { message: 'The result is too large. Use a smaller limit.', readBytes });
  }
}

/** Called with the text of each statement, on the stack of its caller. */
const statements = channel('eas.db.statements');

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

async function runQuery<Row extends object>(
  on: Queryable,
  text: string,
  values: readonly unknown[] = [],
  { isPrepared = true, maxBytes = defaultMaxBytes }: QueryOptions = {},
): Promise<Row[]> {
  if (statements.hasSubscribers) statements.publish(text);
  const name = isPrepared ? statementName(text) : undefined;
  const statement = { name, text, values: [...values], types: countingTypes(maxBytes) };
  return (await on.query(statement)).rows as Row[];
}
