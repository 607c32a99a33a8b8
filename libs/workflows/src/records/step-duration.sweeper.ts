import { keepNewest } from '@eas/db';

/** Deletes how long steps took but for the newest of each workflow and step, more than any estimate reads. Returns how many. */
export const sweepStepDurations = keepNewest({
  table: 'step_durations',
  groupBy: ['tenant_id', 'workflow_id', 'step_key'],
  at: 'finished_at',
  id: 'run_id',
  newest: 100,
});
