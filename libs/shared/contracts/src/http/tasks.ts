import { z } from 'zod';
import { artifactDetail } from './artifacts.ts';
import { freeForm, hours, idOutput, requiredText, role, tag, timestampInputOrNull, timestampOutput } from './fields.ts';
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
  due_date: timestampInputOrNull.default(null),
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
  due_date: timestampInputOrNull.optional(),
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

/** What a task shows of lists that grow: as many of the newest as fit. */
export const maxShownEntries = 100;
export const maxShownBytes = 256 * 1024;
const newest = `the newest ${maxShownEntries}, at most ${maxShownBytes / 1024} KiB of them`;
const score = z.int().min(0).max(100).nullable();

/** A task as GET /v1/tasks/{task_id} returns it. */
export const taskDetail = taskResource.extend({
  updated_at: timestampOutput,
  progress: z.object({
    percent_complete: z.int().min(0).max(100),
    estimate_remaining: hours,
    milestones: z.array(milestone).max(100),
  }),
  activity: z
    .array(activityEntry)
    .max(maxShownEntries)
    .meta({ description: `Status changes and comments, oldest first: ${newest}.` }),
  activity_truncated: z.boolean().meta({ description: 'There are older ones: timeline_url lists all of them.' }),
  timeline_url: z.string().max(128).meta({ example: '/v1/tasks/tsk_01ks0000000000000000000000/timeline' }),
  summary: z
    .string()
    .max(65_536)
    .nullable()
    .meta({ description: 'What the agent said when it completed the work; null until then.' }),
  result: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'What the agent returned when it completed the work; null until then.' }),
  scores: z
    .object({ code_quality: score, requirements_clarity: score })
    .nullable()
    .meta({ description: 'How good the work is, from 0 to 100; null until it is completed, and without any score.' }),
  artifacts: z
    .array(artifactDetail)
    .max(maxShownEntries)
    .meta({ description: `What agents attached, oldest first: ${newest}.` }),
  artifacts_truncated: z.boolean().meta({ description: 'There are older ones: GET …/artifacts lists all of them.' }),
  waiting_on: waitingOn.nullable().meta({ description: 'null once the task is final.' }),
  stalled_at: timestampOutput.nullable().meta({ description: 'Since when its agent gives no sign but heartbeats.' }),
  contract: taskContract.optional(),
  workflow_run_id: idOutput.optional().meta({ description: 'The run whose step it is.' }),
});
export type TaskDetail = z.infer<typeof taskDetail>;
