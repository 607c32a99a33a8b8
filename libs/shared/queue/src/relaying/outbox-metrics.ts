import type { Database } from '@eas/db';
import type { Metrics } from '@eas/runtime';
import { readOutboxState } from './outbox.sweeper.ts';

/** Registers how the outbox stands, read at each scrape. Once per registry. */
export function watchOutbox(metrics: Metrics, database: Pick<Database, 'inTransaction'>): void {
  const dead = metrics.gauge({
    name: 'eas_outbox_dead_rows',
    help: 'Dead events by consumer, counted up to 10,000.',
  });
  metrics.gauge({
    name: 'eas_outbox_oldest_seconds',
    help: 'Age of the oldest outbox row: unsent (due, not yet in a queue) or sent (in a queue, not yet consumed).',
    labelNames: ['state'],
    async collect() {
      // Without a response the last values stay: that the database is away is seen elsewhere.
      const state = await database.inTransaction('', ({ db }) => readOutboxState(db)).catch(() => undefined);
      if (!state) return;
      this.set({ state: 'unsent' }, state.unsentSeconds);
      this.set({ state: 'sent' }, state.sentSeconds);
      dead.set(state.dead);
    },
  });
}
