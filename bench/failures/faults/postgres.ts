import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { backends } from '../../harness/options.ts';
import type { Stores } from '../../harness/stores.ts';
import type { Fault } from './fault.ts';

export const postgresRestart: Fault = {
  name: 'Postgres restarts',
  backends,
  maxSeconds: 20,
  isCut: true,
  async strike({ bench: { stores } }, seconds) {
    const whileStopped = async () => {
      const responds = await connect(stores.databaseUrl).then(
        (client) => client.end().then(() => true),
        () => false,
      );
      if (responds) throw new Error('Postgres still responds');
      await sleep(seconds * 1_000);
    };
    await restartOf(stores)({ whileStopped });
  },
};

function restartOf({ restartPostgres }: Stores) {
  if (!restartPostgres) throw new Error('DATABASE_URL names the Postgres: it cannot be restarted');
  return restartPostgres;
}

const longSql = 'SELECT sum(sqrt(n)) FROM generate_series(1, 1_000_000_000_000) AS n';

/** Its other processes notice at the end of their statements, and it cannot start before they are gone. */
export const postmasterKilled: Fault = {
  name: 'the first process of Postgres is killed under a long statement',
  backends,
  maxSeconds: 20,
  isCut: true,
  async strike({ bench: { stores } }, seconds) {
    const busy = await connect(stores.databaseUrl);
    const { rows } = await busy.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const pid = rows[0]?.pid ?? 0;
    const broken = busy.query(longSql).then(
      () => false,
      () => true,
    );
    await sleep(200);
    const whileStopped = async () => {
      await sleep(seconds * 1_000);
      // Throws when it has ended: then nothing was in the way.
      process.kill(pid, 0);
    };
    await restartOf(stores)({ whileStopped, isKilled: true });
    if (!(await broken)) throw new Error('the long statement ended by itself');
  },
};

/** Postgres may end it at any time. */
export async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, application_name: 'taker' });
  client.on('error', () => {});
  await client.connect();
  return client;
}

const endSql = `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid = ANY($1::int[])`;
const othersSql = `
  SELECT pid FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND application_name NOT IN ('bench', 'taker') ORDER BY pid`;
const tooManyConnections = '53300';

/** Another client takes all free connections, and then every second one of the apps'. */
export const noConnections: Fault = {
  name: 'Postgres is out of connections',
  backends,
  maxSeconds: 20,
  isCut: true,
  async strike({ bench: { stores } }, seconds) {
    const taken: pg.Client[] = [];
    const take = async () => {
      for (;;) {
        try {
          taken.push(await connect(stores.databaseUrl));
        } catch (error) {
          if ((error as { code?: string }).code === tooManyConnections) return;
          throw error;
        }
      }
    };
    await take();
    const [own] = taken;
    if (!own) throw new Error('there was no connection left to take');
    const others = (await own.query<{ pid: number }>(othersSql)).rows;
    await own.query(endSql, [others.filter((_, index) => index % 2 === 0).map(({ pid }) => pid)]);
    for (const endsAt = Date.now() + seconds * 1_000; Date.now() < endsAt; await sleep(50)) await take();
    await Promise.all(taken.map((client) => client.end()));
  },
};
