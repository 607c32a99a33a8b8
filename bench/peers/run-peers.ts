import { type Db } from '@eas/db';
import { installPackages } from '../../tools/install-packages.ts';
import { runInChild } from '../harness/child-task.ts';
import { say } from '../harness/report.ts';
import type { Stores } from '../harness/stores.ts';
import type { FlightLoad, FlightResult } from '../runs/in-flight.ts';

/** For peers that keep their state in Postgres: a database of their own on the same server. */
export type PeerLoad = FlightLoad & { databaseUrl: string };

export type Peer = { name: string; run(load: FlightLoad): Promise<FlightResult> };

/** Other engines, each run in a process of its own. They are installed when they are first used. */
export async function openPeers({ databaseUrl, database: { db } }: Stores): Promise<Peer[]> {
  const what = 'the peers from bench/peers/package-lock.json (about 240 MB; under a minute)';
  await installPackages({ folder: import.meta.dirname, what }, (line) => say(`  ${line}`));
  return [
    { name: 'DBOS Transact, same Postgres', run: (load) => runOnOwnDatabase(db, databaseUrl, load) },
    { name: 'Restate', run: (load) => runInChild('../peers/restate.ts', load) },
  ];
}

async function runOnOwnDatabase(db: Db, databaseUrl: string, load: FlightLoad): Promise<FlightResult> {
  const url = new URL(databaseUrl);
  const name = `${url.pathname.slice(1)}_dbos`;
  url.pathname = `/${name}`;
  try {
    return await runInChild('../peers/dbos.ts', { ...load, databaseUrl: url.toString() });
  } finally {
    await db.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  }
}
