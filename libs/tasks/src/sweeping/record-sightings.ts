import type { Logger } from '@eas/core';
import type { Database } from '@eas/db';
import { recordAgents } from '../moves/record-presence.ts';
import { markSeen } from '../records/agents/presence.store.ts';
import { createSightings, type Sighting, type Sightings } from '../records/agents/sightings.ts';

const longestIntervalMs = 5_000;
/** Row locks that one statement holds at a time. */
const batchSize = 200;

export type RecordParts = { database: Pick<Database, 'db' | 'inTransaction'>; logger: Logger; leaseSeconds: number };

/** Records whom the process sees. An agent that comes is recorded as online at once; one that goes, by the sweep. */
export function recordSightings({ database, logger, leaseSeconds }: RecordParts): Sightings {
  // Often enough that an agent that calls within each lease time never looks stale.
  const intervalMs = Math.min(longestIntervalMs, (leaseSeconds * 1_000) / 4);
  const waitingMs = 2 * intervalMs + 1_000;
  async function write(seen: readonly Sighting[]): Promise<void> {
    for (let from = 0; from < seen.length; from += batchSize) {
      const arrived = await markSeen(database.db, seen.slice(from, from + batchSize), waitingMs);
      await recordAgents(database, arrived, leaseSeconds);
    }
  }
  return createSightings({ write, logger, intervalMs });
}
