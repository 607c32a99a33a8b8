import { randomUUID } from 'node:crypto';
import type { Logger } from '@eas/core';
import type { Database } from '@eas/db';
import { recordAgents } from '../moves/record-presence.ts';
import { beat, endWatch, markGone, markSeen } from '../records/agents/presence.store.ts';
import { createSightings, type Sightings } from '../records/agents/sightings.ts';

const longestIntervalMs = 5_000;
/** Maximum number of agents in one statement. */
const batchSize = 500;

/**
 * How often a watcher reports its agents: often enough that an agent that calls within each lease time never appears
 * gone.
 */
export const sightingMs = (leaseSeconds: number): number => Math.min(longestIntervalMs, (leaseSeconds * 1_000) / 4);

export type RecordParts = { database: Pick<Database, 'db' | 'inTransaction'>; logger: Logger; leaseSeconds: number };

/**
 * Records which agents the process sees. A new agent is recorded as online at once; while it is seen, only the process
 * reports that it is alive, and nothing is written per agent; the sweep records agents that go.
 */
export function recordSightings({ database, logger, leaseSeconds }: RecordParts): Sightings {
  const { db } = database;
  const watcher = randomUUID();
  const intervalMs = sightingMs(leaseSeconds);
  let beatenMs = -Infinity;
  const sightings = createSightings({
    async see(seen) {
      // A watcher without agents need not be alive.
      if (seen.length === 0) return;
      if (performance.now() - beatenMs >= intervalMs / 2) {
        await beat(db, watcher);
        beatenMs = performance.now();
      }
      for (const batch of batchesOf(seen)) {
        const arrived = await markSeen(db, watcher, batch);
        await recordAgents(database, arrived, leaseSeconds);
      }
    },
    async leave(gone) {
      for (const batch of batchesOf(gone)) await markGone(db, watcher, batch);
    },
    logger,
    intervalMs,
    goneAfterMs: (leaseSeconds * 1_000) / 2,
  });
  return {
    ...sightings,
    async close() {
      await sightings.close();
      // Otherwise the sweep does it a little later.
      await endWatch(db, watcher).catch((error: unknown) =>
        logger.warn({ err: error }, 'end of the watch not recorded'),
      );
    },
  };
}

function* batchesOf<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += batchSize) yield all.slice(from, from + batchSize);
}
