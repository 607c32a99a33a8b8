import { keepNewest } from '@eas/db';

/**
 * Deletes durations of steps except the newest of each workflow and step, which are more than any estimate reads.
 * Returns how many.
 */
export const sweepStepDurations = keepNewest({
  table: 'step_durations',
  groupBy: ['tenant_id', 'workflow_id', 'step_key'],
  at: 'finished_at',
  id: 'run_id',
  newest: 100,
});
