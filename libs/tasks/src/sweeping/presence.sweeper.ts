import { type Database, type Db, inBatches } from '@eas/db';
import { offlineAfter, staleAfter } from '../records/agents/agent-state.ts';
import { findSilentWatchers, forgetWatchers, markLeftBehind } from '../records/agents/watcher.sweeper.ts';
import { recordAgents } from '../moves/record-presence.ts';
import type { AgentRef } from '../records/agents/sightings.ts';
import { sightingMs } from './record-sightings.ts';

const batchSize = 200;
const ago = (leaseTimes: number) => `app_now() - ${leaseTimes} * $1::int * interval '1 second'`;
const [stale, offline] = [ago(staleAfter), ago(offlineAfter)];
const changedSql = `
  SELECT tenant_id AS "tenantId", id FROM agents
  WHERE deleted_at IS NULL AND seen_by IS NULL AND (tenant_id, id) > ($2::text, $3::text) AND (
    presence = 'online' AND last_seen_at < ${stale}
    OR presence = 'stale' AND (last_seen_at < ${offline} OR last_seen_at >= ${stale})
    OR presence = 'offline' AND last_seen_at >= ${offline})
  ORDER BY tenant_id, id LIMIT ${batchSize}`;

/** After this number of silent intervals a watcher has ended, or its claims are outdated. */
const silentIntervals = 4;

/** Records which agents went away, and those that came unreported. Returns how many. Several may run at once. */
export async function sweepPresence(database: Database, leaseSeconds: number): Promise<number> {
  await leaveOfSilent(database.db, Math.ceil((silentIntervals * sightingMs(leaseSeconds)) / 1_000));
  let recorded = 0;
  let after = ['', ''];
  for (;;) {
    const batch = await database.db.query<AgentRef>(changedSql, [leaseSeconds, ...after]);
    recorded += await recordAgents(database, batch, leaseSeconds);
    const last = batch.at(-1);
    if (!last || batch.length < batchSize) return recorded;
    after = [last.tenantId, last.id];
  }
}

async function leaveOfSilent(db: Db, seconds: number): Promise<void> {
  for (const watcher of await findSilentWatchers(db, seconds))
    await inBatches((limit) => markLeftBehind(db, watcher, limit), {});
  await forgetWatchers(db, seconds);
}
