import { z } from 'zod';
import { defineEvents, timestamp } from './event.ts';

const taskRef = { task_id: z.string(), title: z.string() };

/** The state of a task as analytics counts it. `version` orders the facts of one task. */
export const taskFacts = z.object({
  version: z.int(),
  role: z.string().nullable(),
  status: z.string(),
  created_at: timestamp,
  due_date: timestamp.nullable(),
  first_claimed_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  code_quality: z.int().nullable(),
  requirements_clarity: z.int().nullable(),
});
export type TaskFacts = z.infer<typeof taskFacts>;

/** A change of state that `from` and `to` tell; `changed` names the fields that differ from before. */
const changeData = z.object({
  ...taskRef,
  from: z.string(),
  to: z.string(),
  changed: z.array(z.string()),
});

export const taskEvents = defineEvents({
  'task.created': {
    visibility: 'public',
    // The task as POST /v1/tasks returns it, beside the two fields that every task.* event has.
    data: z.object({
      ...taskRef,
      id: z.string(),
      description: z.string(),
      status: z.string(),
      priority: z.string(),
      due_date: timestamp.nullable(),
      assigned_role: z.string().nullable(),
      assigned_agent: z.string().nullable(),
      created_at: timestamp,
      tags: z.array(z.string()),
      metadata: z.record(z.string(), z.unknown()),
    }),
    facts: taskFacts,
  },
  'task.assigned': {
    visibility: 'public',
    data: z.object({
      ...taskRef,
      assigned_agent: z.string(),
      assigned_role: z.string().nullable(),
      reason: z.string(),
    }),
    facts: null,
  },
  'task.started': {
    visibility: 'public',
    data: z.object({ ...taskRef, assigned_agent: z.string() }),
    facts: taskFacts,
  },
  'task.updated': { visibility: 'public', data: changeData, facts: taskFacts },
  'task.completed': {
    visibility: 'public',
    data: z.object({ ...taskRef, completed_by: z.string(), completion_time: timestamp }),
    facts: taskFacts,
  },
  'task.failed': { visibility: 'public', data: z.object({ ...taskRef, reason: z.string() }), facts: taskFacts },
  'task.cancelled': {
    visibility: 'public',
    data: z.object({ ...taskRef, cancelled_by: z.string() }),
    facts: taskFacts,
  },
  'task.commented': {
    visibility: 'public',
    data: z.object({ ...taskRef, content: z.string(), author: z.string() }),
    facts: null,
  },
});
