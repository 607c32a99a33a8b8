import { keepNewest } from '@eas/db';
import { medianOver } from '../reading/task-detail.read-model.ts';

/** Deletes how long tasks took that are too old for the median of their role. Returns how many. */
export const sweepDurations = keepNewest({
  table: 'task_durations',
  groupBy: ['tenant_id', 'role'],
  at: 'completed_at',
  id: 'task_id',
  newest: medianOver,
});
