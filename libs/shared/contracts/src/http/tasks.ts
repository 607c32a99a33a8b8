import { z } from 'zod';
import { artifactDetail, exampleArtifact } from './artifacts.ts';
import {
  exampleId,
  exampleTime,
  freeForm,
  hours,
  idOf,
  requiredText,
  role,
  tag,
  timestampInputOrNull,
  timestampOutput,
} from '../fields.ts';
import { platformTask } from './platform-task.ts';
import { acceptance, acceptancePatch, submission } from './reviews.ts';

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

export const taskStatus = z.enum(taskStatuses).meta({
  id: 'TaskStatus',
  description:
    'State of the task. created: new; open: ready for another attempt; in_progress: an agent holds it; blocked: waits for a person’s answer; in_review: waits for a review; completed, failed and cancelled are final.',
});
const priority = z
  .enum(taskPriorities)
  .meta({ id: 'TaskPriority', description: 'How urgent the task is. Urgent tasks are claimed first.' });

const titleText = 'What is to be done, in one line.';
const descriptionText = 'What is to be done, in full. Markdown is fine.';
const dueText = 'When the task should be completed.';
const roleText = 'The role whose agents can claim the task. null: agents of any role can.';
const agentText = 'The agent that is to do the task. null: not planned yet.';
const tagsText = 'Labels. Filter lists with `tag`.';
const projectText = 'The project that the task belongs to. null: none.';
const metadataText = 'Free-form JSON that the service stores and returns unchanged. At most 64 KiB.';
const title = requiredText(500).meta({ description: titleText, example: 'Limit failed logins' });
const description = requiredText(65_536).describe(descriptionText);

const exampleContent = {
  title: 'Limit failed logins',
  description: 'Allow five failed logins a minute for each address, then respond with 429.',
};
const exampleFields = {
  priority: 'high',
  due_date: '2026-12-01T17:00:00Z',
  assigned_role: 'rd',
  tags: ['security'],
  metadata: { ticket_id: 'ENG-1', repository: 'web' },
};

export const createTaskBody = z
  .strictObject({
    title,
    description,
    priority: priority
      .optional()
      .describe('How urgent the task is. Left out: as the defaults of its project say, or else medium.'),
    due_date: timestampInputOrNull.default(null).describe(dueText),
    assigned_role: role
      .nullable()
      .optional()
      .describe(`${roleText} Left out: as the defaults of its project say, or else null.`),
    assigned_agent: idOf('Pins the task to this agent: no other agent can claim it.').nullable().default(null),
    tags: z
      .array(tag)
      .max(50)
      .optional()
      .describe(`${tagsText} Left out: as the defaults of its project say, or else none.`),
    metadata: freeForm().default({}).describe(metadataText),
    project: idOf(
      'The project that the task belongs to. Left out: the one project that is not archived and has the repository in `metadata.repository`, which can be its address, `owner/name` or its name.',
    )
      .nullable()
      .optional(),
    contract: acceptance.optional(),
  })
  .meta({
    id: 'CreateTask',
    description: 'A new task.',
    example: {
      ...exampleContent,
      ...exampleFields,
      contract: { artifacts: ['pull_request'], review: { role: 'qa' } },
    },
  });
export type CreateTaskBody = z.output<typeof createTaskBody>;

/**
 * Body of PATCH /v1/tasks/{task_id}: a JSON merge patch, also inside metadata. null resets a field to its default;
 * title, description and status cannot be null.
 */
export const changeTaskBody = z
  .strictObject({
    title: title.optional(),
    description: description.optional(),
    status: taskStatus
      .optional()
      .describe('`completed` completes a task that is not final. `open` reopens a final task.'),
    priority: priority.nullable().optional().describe('How urgent the task is. null resets it to medium.'),
    due_date: timestampInputOrNull.optional().describe(dueText),
    assigned_role: role.nullable().optional().describe(roleText),
    assigned_agent: idOf('Another agent pins the task to that agent. null plans it again.').nullable().optional(),
    tags: z.array(tag).max(50).nullable().optional().describe('Labels. They replace all earlier ones.'),
    metadata: freeForm()
      .nullable()
      .optional()
      .describe('Merged into the present metadata: a key with null is removed, others are kept.'),
    project: idOf(
      'Another project. null: the one that `metadata.repository` means, if there is one. Left out: another repository there gives the task its project, unless the task got its present one by ID.',
    )
      .nullable()
      .optional(),
    contract: acceptancePatch.nullable().optional(),
  })
  .meta({
    id: 'ChangeTask',
    description: 'A JSON merge patch of a task. Fields that you leave out stay as they are.',
    example: { priority: 'critical', due_date: null, metadata: { ticket_id: 'ENG-2' } },
  });
export type ChangeTaskBody = z.output<typeof changeTaskBody>;

export const commentBody = z
  .strictObject({ content: requiredText(65_536).describe('The comment.') })
  .meta({ id: 'CreateComment', description: 'A comment on a task.', example: { content: 'Half way.' } });
export type CommentBody = z.output<typeof commentBody>;

const taskFields = {
  id: idOf('ID of the task.'),
  title: z.string().max(500).describe(titleText),
  status: taskStatus,
  priority,
  due_date: timestampOutput.nullable().describe(dueText),
  assigned_role: z.string().max(64).nullable().describe(roleText),
  assigned_agent: idOf(agentText).nullable(),
  created_at: timestampOutput.describe('When the task was created.'),
};
const { tags: exampleTags, metadata: exampleMetadata, ...exampleListed } = exampleFields;
const exampleItem = {
  id: exampleId('tsk'),
  title: exampleContent.title,
  status: 'created',
  ...exampleListed,
  assigned_agent: exampleId('agt'),
  created_at: exampleTime,
};
export const exampleTask = {
  ...exampleItem,
  description: exampleContent.description,
  tags: exampleTags,
  metadata: exampleMetadata,
  project: exampleId('prj'),
};

export const taskListItem = z
  .object({
    ...taskFields,
    review_since: timestampOutput
      .optional()
      .describe('Since when the task is in review. Only in lists that are filtered by `review_by`.'),
    failed_at: timestampOutput
      .optional()
      .describe('When the task failed. Only in lists that are filtered by `failed_after`.'),
  })
  .meta({ id: 'TaskSummary', description: 'A task as lists show it.', example: exampleItem });
export type TaskListItem = z.infer<typeof taskListItem>;

export const taskResource = z
  .object({
    ...taskFields,
    description: z.string().max(65_536).describe(descriptionText),
    tags: z.array(z.string().max(64)).max(50).describe(tagsText),
    metadata: z.record(z.string(), z.unknown()).describe(metadataText),
    project: idOf(projectText).nullable(),
  })
  .meta({ id: 'Task', description: 'A unit of work for an agent.', example: exampleTask });
export type TaskResource = z.infer<typeof taskResource>;

const milestoneMeta = (id: string) => ({
  id,
  description: 'A part of the work that can be finished on its own.',
});
export const milestone = z
  .object({
    name: z.string().min(1).max(200).describe('What the milestone is.'),
    completed: z.boolean().describe('Whether it is reached.'),
  })
  .meta(milestoneMeta('Milestone'));
export type Milestone = z.infer<typeof milestone>;
/** The same in an agent's report, without other fields. */
export const reportedMilestone = milestone.strict().meta(milestoneMeta('MilestoneInput'));

const activityEntry = z
  .discriminatedUnion('type', [
    z
      .object({
        type: z.literal('status_change').describe('The kind of the entry.'),
        from: z.string().max(32).describe('The status before.'),
        to: z.string().max(32).describe('The status after.'),
        timestamp: timestampOutput.describe('When the status changed.'),
      })
      .meta({ id: 'StatusChangeActivity', description: 'The status of the task changed.' }),
    z
      .object({
        type: z.literal('comment').describe('The kind of the entry.'),
        content: z.string().max(65_536).describe('The comment.'),
        timestamp: timestampOutput.describe('When the comment was made.'),
      })
      .meta({ id: 'CommentActivity', description: 'Someone commented on the task.' }),
  ])
  .meta({ id: 'ActivityEntry', description: 'A status change or a comment.' });
export type ActivityEntry = z.infer<typeof activityEntry>;

/** What an unfinished task waits for; id is null if it is no particular person, agent or object. */
const waitingOn = z
  .object({
    kind: z.enum(['agent', 'person', 'dependency', 'timer', 'external', 'budget']).meta({
      description:
        'agent: an agent must claim the task or continue it; person: a person must answer or decide; dependency: its review must end; timer: a delay must pass; external: the other platform must act; budget: a budget is used up, and its period must end or its limit be raised. New kinds can be added.',
    }),
    id: idOf('ID of that agent, input, task or budget. null: none in particular.').nullable(),
    since: timestampOutput.describe('Since when the task has been waiting.'),
    deadline: timestampOutput.nullable().describe('When the service acts on its own. null: never.'),
  })
  .meta({ id: 'WaitingOn', description: 'What the task is waiting for.' });
export type WaitingOn = z.infer<typeof waitingOn>;

const progress = z
  .object({
    percent_complete: z.int().min(0).max(100).describe('How much of the work is done.'),
    estimate_remaining: hours.describe(
      'Estimated time until completion, in hours. `0h` also if there is no estimate: see `estimate_remaining_hours`.',
    ),
    estimate_remaining_hours: z
      .number()
      .min(0)
      .max(1e16)
      .nullable()
      .describe('The same as a number. null: there is no estimate.'),
    milestones: z.array(milestone).max(100).describe('Milestones that the agent reported.'),
  })
  .meta({ id: 'TaskProgress', description: 'How far the work is.' });

/** Growing lists in a task: only the newest items that fit. */
export const maxShownEntries = 100;
export const maxShownBytes = 256 * 1024;
const newest = `the newest ${maxShownEntries}, at most ${maxShownBytes / 1024} KiB`;
const score = z.int().min(0).max(100).nullable();
const scores = z
  .object({
    code_quality: score.describe('Quality of the code. null: no score.'),
    requirements_clarity: score.describe('Clarity of the requirements. null: no score.'),
  })
  .meta({ id: 'Scores', description: 'How good the work is, from 0 to 100.' });

const exampleDetail = {
  ...exampleTask,
  status: 'in_progress',
  updated_at: '2026-11-20T10:30:00Z',
  progress: {
    percent_complete: 50,
    estimate_remaining: '1.5h',
    estimate_remaining_hours: 1.5,
    milestones: [{ name: 'Counter per address', completed: true }],
  },
  activity: [{ type: 'status_change', from: 'created', to: 'in_progress', timestamp: '2026-11-20T10:05:00Z' }],
  activity_truncated: false,
  timeline_url: `/v1/tasks/${exampleId('tsk')}/timeline`,
  summary: null,
  result: null,
  scores: null,
  artifacts: [{ id: exampleId('art'), ...exampleArtifact, created_at: '2026-11-20T10:30:00Z' }],
  artifacts_truncated: false,
  waiting_on: {
    kind: 'agent',
    id: exampleId('agt'),
    since: '2026-11-20T10:05:00Z',
    deadline: '2026-11-20T10:31:00Z',
  },
  rework_rounds: 0,
  stalled_at: null,
};

export const taskDetail = taskResource
  .extend({
    updated_at: timestampOutput.describe('When the task was last changed.'),
    progress,
    activity: z
      .array(activityEntry)
      .max(maxShownEntries)
      .describe(`Status changes and comments, oldest first: ${newest}.`),
    activity_truncated: z.boolean().describe('Whether there are older entries. `timeline_url` lists all of them.'),
    timeline_url: z
      .string()
      .max(128)
      .meta({ description: 'Path of the full history.', example: exampleDetail.timeline_url }),
    summary: z.string().max(65_536).nullable().describe('What the agent reported when it completed the task.'),
    result: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('Free-form JSON that the agent returned when it completed the task.'),
    scores: scores.nullable().describe('How good the work is. null until there is a score.'),
    artifacts: z.array(artifactDetail).max(maxShownEntries).describe(`What agents attached, oldest first: ${newest}.`),
    artifacts_truncated: z
      .boolean()
      .describe('Whether there are older artifacts. `listTaskArtifacts` lists all of them.'),
    waiting_on: waitingOn.nullable().describe('What the task is waiting for. null once the task is final.'),
    rework_rounds: z
      .int()
      .min(0)
      .max(2_147_483_647)
      .describe(
        'How often the work was sent back to its agent since a person last decided about it: by its pull request, or by a reviewing agent.',
      ),
    stalled_at: timestampOutput
      .nullable()
      .describe('Since when the agent has sent nothing but heartbeats. null: it is making progress.'),
    submission: submission
      .optional()
      .describe(
        'Names the work that is in review; work that is done again gets another. Send it when you approve or reject.',
      ),
    contract: acceptance.optional(),
    platform: platformTask.optional(),
    workflow_run_id: idOf('The workflow run that the task is a step of.').optional(),
  })
  .meta({
    id: 'TaskDetail',
    base: 'Task',
    description: 'A task with its progress, results and history.',
    example: exampleDetail,
  });
export type TaskDetail = z.infer<typeof taskDetail>;
