import { z } from 'zod';
import { freeForm, hours, idOutput, requiredText, role, tag, timestampInput, timestampOutput } from './fields.ts';
import { taskContract, taskContractPatch } from './reviews.ts';

export const taskStatuses = [
  'created',
  'open',
  'in_progress',
  'blocked',
  'in_review',
  'completed',
  'failed',
  'cancelled',
] as const;
export const taskPriorities = ['low', 'medium', 'high', 'urgent', 'critical'] as const;

const status = z.enum(taskStatuses).meta({ description: 'Where the task is in its life.' });
const priority = z.enum(taskPriorities).meta({ description: 'How urgent it is, from low to critical.' });

const contractDescription = 'What complete has to bring; not met, it is 409 contract and the lease stays.';

export const createTaskBody = z.strictObject({
  title: requiredText(500).meta({ example: 'Add rate limiting to the login endpoint' }),
  description: requiredText(65_536).meta({ example: 'Five failed attempts a minute per address, then 429.' }),
  priority: priority.default('medium'),
  due_date: timestampInput.nullable().default(null),
  assigned_role: role.nullable().default(null),
  assigned_agent: idOutput.nullable().default(null),
  tags: z.array(tag).max(50).default([]),
  metadata: freeForm().default({}),
  contract: taskContract.optional().meta({ description: contractDescription }),
});
export type CreateTaskBody = z.output<typeof createTaskBody>;

/**
 * What PATCH /v1/tasks/{task_id} takes: a JSON merge patch, also inside metadata. null gives a field what a task has
 * that was created without it; title, description and status cannot be without.
 */
export const changeTaskBody = z.strictObject({
  title: requiredText(500).optional(),
  description: requiredText(65_536).optional(),
  status: z
    .enum(taskStatuses)
    .optional()
    .meta({ description: 'completed, for a task that is not final; open, for one that is.' }),
  priority: priority.nullable().optional(),
  due_date: timestampInput.nullable().optional(),
  assigned_role: role.nullable().optional(),
  assigned_agent: idOutput
    .nullable()
    .optional()
    .meta({ description: 'Another agent than now pins the task to it; null lets it be planned anew.' }),
  tags: z.array(tag).max(50).nullable().optional(),
  metadata: freeForm().nullable().optional(),
  contract: taskContractPatch.nullable().optional().meta({ description: contractDescription }),
});
export type ChangeTaskBody = z.output<typeof changeTaskBody>;

export const commentBody = z.strictObject({ content: requiredText(65_536).meta({ example: 'Half way.' }) });
export type CommentBody = z.output<typeof commentBody>;

const taskFields = {
  id: idOutput.meta({ example: 'tsk_01ks0000000000000000000000' }),
  title: z.string().max(500),
  status,
  priority,
  due_date: timestampOutput.nullable(),
  assigned_role: z.string().max(64).nullable(),
  assigned_agent: idOutput.nullable(),
  created_at: timestampOutput,
};

export const taskListItem = z.object(taskFields);
export type TaskListItem = z.infer<typeof taskListItem>;

/** A task as POST /v1/tasks returns it. */
export const taskResource = z.object({
  ...taskFields,
  description: z.string().max(65_536),
  tags: z.array(z.string().max(64)).max(50),
  metadata: z.record(z.string(), z.unknown()),
});
export type TaskResource = z.infer<typeof taskResource>;

export const milestone = z.object({ name: z.string().min(1).max(200), completed: z.boolean() });
export type Milestone = z.infer<typeof milestone>;

export const activityEntry = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('status_change'),
    from: z.string().max(32),
    to: z.string().max(32),
    timestamp: timestampOutput,
  }),
  z.object({ type: z.literal('comment'), content: z.string().max(65_536), timestamp: timestampOutput }),
]);
export type ActivityEntry = z.infer<typeof activityEntry>;

/** Whom or what a task waits for that is not final; id is null where nobody in particular is waited for. */
export const waitingOn = z.object({
  kind: z.enum(['agent', 'person', 'dependency', 'timer', 'external']).meta({
    description:
      'agent: to claim it, to go on or to come back; person: an answer or a decision; dependency: its review.',
  }),
  id: idOutput.nullable().meta({ description: 'Of the agent, the input or the task that is waited for.' }),
  since: timestampOutput,
  deadline: timestampOutput.nullable().meta({ description: 'When the service does something about it by itself.' }),
});
export type WaitingOn = z.infer<typeof waitingOn>;

/** A task as GET /v1/tasks/{task_id} returns it. */
export const taskDetail = taskResource.extend({
  updated_at: timestampOutput,
  progress: z.object({
    percent_complete: z.int().min(0).max(100),
    estimate_remaining: hours,
    milestones: z.array(milestone).max(100),
  }),
  activity: z.array(activityEntry).max(100_000),
  waiting_on: waitingOn.nullable().meta({ description: 'null once the task is final.' }),
  stalled_at: timestampOutput.nullable().meta({ description: 'Since when its agent gives no sign but heartbeats.' }),
  contract: taskContract.optional(),
  workflow_run_id: idOutput.optional().meta({ description: 'The run whose step it is.' }),
});
export type TaskDetail = z.infer<typeof taskDetail>;
