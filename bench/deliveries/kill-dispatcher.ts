import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../harness/bench.ts';

/** Deliveries as `<endpoint id> <event id>`. */
export type Kill = { inFlight: readonly string[] };

const connectionsSql = `SELECT count(*)::int AS open FROM pg_stat_activity WHERE application_name = 'webhook-dispatcher'`;
const inFlightSql = `
  SELECT endpoint_id || ' ' || event_id AS id, sending_until::text AS until FROM deliveries
  WHERE status = 'pending' AND sending_until > app_now()`;

/** A dispatcher that has something to send has begun within this time. */
const patienceMs = 20_000;

/** Kills the dispatcher `kills` times, each a random while after it began to send, and starts another one at once. */
export async function killDispatcher(bench: Bench, kills: number): Promise<Kill[]> {
  const { apps, stores } = bench;
  /** Claims of dispatchers that were killed before are still there. */
  const killed = new Set<string>();
  const inFlight = async () => {
    const rows = await stores.database.db.query<{ id: string; until: string }>(inFlightSql);
    return rows.filter(({ id, until }) => !killed.has(`${id} ${until}`));
  };
  const done: Kill[] = [];
  for (let number = 0; number < kills; number += 1) {
    for (const endsAt = Date.now() + patienceMs; Date.now() < endsAt && (await inFlight()).length === 0;)
      await sleep(20);
    await sleep(Math.random() * 1_500);
    const dispatcher = apps.running().find(({ name }) => name === 'webhook-dispatcher');
    if (!dispatcher) throw new Error('no dispatcher runs');
    await dispatcher.kill();
    await connectionsClosed(bench);
    const rows = await inFlight();
    for (const { id, until } of rows) killed.add(`${id} ${until}`);
    done.push({ inFlight: rows.map(({ id }) => id) });
    await apps.start('webhook-dispatcher');
  }
  return done;
}

/** Its last statements have ended by then: later nothing is recorded. */
async function connectionsClosed({ stores: { database } }: Bench): Promise<void> {
  while (((await database.db.query<{ open: number }>(connectionsSql))[0]?.open ?? 0) > 0) await sleep(10);
}
