import { AsyncLocalStorage } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { type Prisma, PrismaClient } from '../generated/client.ts';

type Connection = { query(statement: pg.QueryArrayConfig): Promise<unknown> };

/** The connection of the current operation. */
const underWay = new AsyncLocalStorage<() => Connection>();

/** Shared, since it holds a graph of every parameter of the schema, 14 MB. */
let shared: PrismaClient | undefined;

/**
 * Prisma whose operations run on what `current` returns: a pool, or the connection of a transaction. `current` is
 * called for each statement, and throws when there is nothing to run it on.
 */
export function prismaOn(current: () => Connection): Prisma.TransactionClient {
  shared ??= newClient();
  const bound = shared.$extends({
    query: {
      $allOperations({ operation, args, query }) {
        if (operation.startsWith('findUnique'))
          throw new Error('Prisma joins look-ups of several transactions into one: use findFirst, not findUnique');
        // The operation starts when it is awaited.
        return underWay.run(current, async () => await query(args));
      },
    },
  });
  // The wrapper does not change any type, but the compiler cannot see that.
  return bound as unknown as Prisma.TransactionClient;
}

/** `minimal`: an error does not quote the source code around the call. */
function newClient(): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(poolOfOperations()), errorFormat: 'minimal' });
}

/** The parts of a pool that PrismaPg uses: it runs statements, and neither releases connections nor opens transactions. */
function poolOfOperations(): pg.Pool {
  const parts = {
    query: async (statement: pg.QueryArrayConfig) => connection().query(statement).catch(throwAsCause),
    connect: () => Promise.reject(new Error('Prisma opens no transaction: use an operation of one statement')),
    on: () => parts,
    removeListener: () => parts,
    options: {},
  };
  return Object.assign(Object.create(pg.Pool.prototype) as pg.Pool, parts);
}

function connection(): Connection {
  const current = underWay.getStore();
  if (!current) throw new Error('a statement of Prisma belongs to no operation');
  return current();
}

/**
 * The adapter and the client translate errors that have a code, and drop what they have no field for, such as the name
 * of a constraint. They pass on other errors, so pg's error is wrapped as a cause, where `sql-error.ts` reads it.
 */
function throwAsCause(error: Error): never {
  throw new Error(error.message, { cause: error });
}
