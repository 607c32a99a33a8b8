import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../generated/client.ts';

type Connection = { query(statement: pg.QueryArrayConfig): Promise<unknown> };

/** Prisma over a pool: each operation takes a connection of its own. */
export function prismaOnPool(pool: pg.Pool): PrismaClient {
  return newClient(() => pool);
}

type Guided = { readonly client: PrismaClient; connection: pg.PoolClient | undefined };

const idle: Guided[] = [];

/**
 * Prisma bound to one connection until it is released, so that it takes part in the transaction that runs there. A
 * client costs 5 ms once and 7 MB for ever, so released ones are used again: there are as many as there were
 * transactions at a time that needed one.
 */
export function bindPrisma(connection: pg.PoolClient): { client: PrismaClient; release(): void } {
  const guided = idle.pop() ?? newGuided();
  guided.connection = connection;
  return {
    client: guided.client,
    release() {
      guided.connection = undefined;
      idle.push(guided);
    },
  };
}

function newGuided(): Guided {
  const guided: Guided = {
    client: newClient(() => {
      if (!guided.connection) throw new Error('Prisma was used after its transaction had ended');
      return guided.connection;
    }),
    connection: undefined,
  };
  return guided;
}

/** `minimal`: an error does not quote the source code around the call. */
function newClient(current: () => Connection): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(poolOf(current)), errorFormat: 'minimal' });
}

/** The parts of a pool that PrismaPg uses: it runs statements, and neither releases connections nor opens transactions. */
function poolOf(current: () => Connection): pg.Pool {
  const parts = {
    query: async (statement: pg.QueryArrayConfig) => current().query(statement).catch(throwAsCause),
    connect: () => Promise.reject(new Error('Prisma opens no transaction: use an operation of one statement')),
    on: () => parts,
    removeListener: () => parts,
    options: {},
  };
  return Object.assign(Object.create(pg.Pool.prototype) as pg.Pool, parts);
}

/**
 * The adapter and the client translate errors that have a code, and leave out what they have no word for, such as the
 * name of a constraint. They pass on any other, so the error of pg is its cause: `sql-error.ts` reads it there.
 */
function throwAsCause(error: Error): never {
  throw new Error(error.message, { cause: error });
}
