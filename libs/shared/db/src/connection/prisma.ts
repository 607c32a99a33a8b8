import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../generated/client.ts';

/** Prisma over a pool: each operation takes a connection of its own. */
export function prismaOnPool(pool: pg.Pool): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(pool) });
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
    client: new PrismaClient({ adapter: new PrismaPg(poolOfOne(() => guided.connection)) }),
    connection: undefined,
  };
  return guided;
}

/** The parts of a pool that PrismaPg uses, all leading to one connection that it must neither release nor close. */
function poolOfOne(current: () => pg.PoolClient | undefined): pg.Pool {
  const query = async (...args: Parameters<pg.PoolClient['query']>) => {
    const connection = current();
    if (!connection) throw new Error('Prisma was used after its transaction had ended');
    return connection.query(...args);
  };
  const held = { query, release() {}, on() {}, off() {}, removeListener() {} };
  const parts = {
    query,
    connect: async () => held,
    end: async () => {},
    on: () => parts,
    off: () => parts,
    removeListener: () => parts,
    options: {},
  };
  return Object.assign(Object.create(pg.Pool.prototype) as pg.Pool, parts);
}
