import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from './generated/client.ts';

/** Prisma over a pool: each operation takes a connection of its own. */
export function prismaOnPool(pool: pg.Pool): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(pool) });
}

const clients = new WeakMap<pg.PoolClient, PrismaClient>();

/**
 * Prisma bound to one connection, so that it takes part in the transaction that runs there.
 * A client costs about 5 ms once and is kept with its connection.
 */
export function prismaOnConnection(connection: pg.PoolClient): PrismaClient {
  let client = clients.get(connection);
  if (!client) {
    client = new PrismaClient({ adapter: new PrismaPg(poolOfOne(connection)) });
    clients.set(connection, client);
  }
  return client;
}

/** The parts of a pool that PrismaPg uses, all leading to one connection that it must neither release nor close. */
function poolOfOne(connection: pg.PoolClient): pg.Pool {
  const held = { query: connection.query.bind(connection), release() {}, on() {}, off() {}, removeListener() {} };
  const parts = {
    query: held.query,
    connect: async () => held,
    end: async () => {},
    on: () => parts,
    off: () => parts,
    removeListener: () => parts,
    options: {},
  };
  return Object.assign(Object.create(pg.Pool.prototype) as pg.Pool, parts);
}
