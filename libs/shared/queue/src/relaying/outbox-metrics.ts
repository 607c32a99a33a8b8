import type { Database } from '@eas/db';
import type { Metrics } from '@eas/runtime';
import { readOutboxState } from './outbox.sweeper.ts';

/** Registers metrics of the outbox, read at each scrape. Once per registry. */
export function watchOutbox(metrics: Metrics, database: Pick<Database, 'inTransaction'>): void {
  const dead = metrics.gauge('eas_outbox_dead_rows');
  metrics.gauge('eas_outbox_oldest_seconds', async (oldest) => {
    const state = await database.inTransaction('', ({ db }) => readOutboxState(db));
    oldest.set({ state: 'unsent' }, state.unsentSeconds);
    oldest.set({ state: 'sent' }, state.sentSeconds);
    dead.set(state.dead);
  });
}
