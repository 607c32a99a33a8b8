import { z } from 'zod';
import { defineEvents, id, text, timestamp, word } from './event.ts';

const runRef = { workflow_run_id: id, workflow_id: id, name: text };

export const workflowEvents = defineEvents({
  'workflow.started': { visibility: 'public', data: z.object({ ...runRef, started_by: id }), facts: null },
  'workflow.step_completed': {
    visibility: 'public',
    data: z.object({
      ...runRef,
      step_id: id,
      step_name: text,
      role: word,
      task_id: id,
      completed_by: id.nullable(),
      attempt: z.int().min(1).max(2_147_483_647),
      completion_time: timestamp,
    }),
    facts: null,
  },
  'workflow.completed': {
    visibility: 'public',
    data: z.object({ ...runRef, completion_time: timestamp }),
    facts: null,
  },
  'workflow.failed': {
    visibility: 'public',
    // The step that failed for the last time, and why.
    data: z.object({ ...runRef, step_id: id, step_name: text, reason: text }),
    facts: null,
  },
  'workflow.cancelled': { visibility: 'public', data: z.object({ ...runRef, cancelled_by: id }), facts: null },
});
