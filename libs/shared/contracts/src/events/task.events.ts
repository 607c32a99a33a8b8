import { z } from 'zod';
import { defineEvents, id, name, text, timestamp, word } from './event.ts';

const taskRef = { task_id: id, title: text };

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
  /** The run whose step it is. */
  run_id: z.string().nullable().optional(),
});
export type TaskFacts = z.infer<typeof taskFacts>;

/** A change of state that `from` and `to` tell; `changed` names the fields that differ from before. */
const changeData = z.object({
  ...taskRef,
  from: word,
  to: word,
  changed: z.array(word).max(100),
});

export const taskEvents = defineEvents({
  'task.created': {
    visibility: 'public',
    // The task as POST /v1/tasks returns it, beside the two fields that every task.* event has.
    data: z.object({
      ...taskRef,
      id,
      description: text,
      status: word,
      priority: word,
      due_date: timestamp.nullable(),
      assigned_role: word.nullable(),
      assigned_agent: id.nullable(),
      created_at: timestamp,
      tags: z.array(text).max(1_000),
      metadata: z.record(z.string(), z.unknown()),
    }),
    facts: taskFacts,
  },
  'task.assigned': {
    visibility: 'public',
    data: z.object({
      ...taskRef,
      assigned_agent: id,
      assigned_role: word.nullable(),
      reason: text,
    }),
    facts: null,
  },
  'task.started': {
    visibility: 'public',
    data: z.object({ ...taskRef, assigned_agent: id }),
    facts: taskFacts,
  },
  'task.updated': { visibility: 'public', data: changeData, facts: taskFacts },
  'task.blocked': {
    visibility: 'public',
    // The input that the agent cannot go on without.
    data: z.object({
      ...taskRef,
      assigned_agent: id,
      input_id: id,
      kind: word,
      prompt: text,
      options: z.array(text).max(100),
      expires_at: timestamp,
    }),
    facts: taskFacts,
  },
  'task.completed': {
    visibility: 'public',
    // What its agent brought; null without, and where it is larger than maxOutcomeBytes: then outcome_truncated is true.
    data: z.object({
      ...taskRef,
      completed_by: id,
      completion_time: timestamp,
      summary: text.nullable().optional(),
      result: z.record(z.string(), z.unknown()).nullable().optional(),
      outcome_truncated: z.boolean().optional(),
    }),
    facts: taskFacts,
  },
  'task.failed': { visibility: 'public', data: z.object({ ...taskRef, reason: text }), facts: taskFacts },
  'task.cancelled': {
    visibility: 'public',
    data: z.object({ ...taskRef, cancelled_by: id }),
    facts: taskFacts,
  },
  'task.commented': {
    visibility: 'public',
    data: z.object({ ...taskRef, content: text, author: name }),
    facts: null,
  },
});
