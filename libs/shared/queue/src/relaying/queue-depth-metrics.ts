import type { Metrics } from '@eas/runtime';
import type { OpenQueues } from '../backends/open-queues.ts';

/** Registers metrics of the queue depths, read at each scrape. Once per registry. */
export function watchQueues(metrics: Metrics, queues: Pick<OpenQueues, 'depths' | 'oldestSeconds'>): void {
  metrics.gauge('eas_queue_jobs', async (jobs) => {
    const depths = await queues.depths();
    for (const [queue, states] of Object.entries(depths))
      for (const [state, count] of Object.entries(states)) jobs.set({ queue, state }, count);
  });
  metrics.gauge('eas_queue_oldest_seconds', async (oldest) => {
    const ages = await queues.oldestSeconds();
    for (const [queue, seconds] of Object.entries(ages)) oldest.set({ queue }, seconds);
  });
}
