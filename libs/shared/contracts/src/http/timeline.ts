import { z } from 'zod';
import { formContent } from './asking/form.ts';
import { artifactKind } from './artifacts.ts';
import { exampleId, exampleTime, hours, idOf, timestampInput, timestampOutput, wholeNumberInput } from '../fields.ts';
import { listQuery, listResponse } from './list.ts';
import { milestone } from './tasks.ts';
import { entryOf } from './timeline-entry.ts';

const word = z.string().max(64);
const longText = z.string().max(65_536);
const inputId = idOf('ID of the input.');

const entry = entryOf('Task');

const kinds = [
  entry('created', 'The task was created.', {}),
  entry('status_change', 'The status of the task changed.', {
    from: word.describe('The status before.'),
    to: word.describe('The status after.'),
    reason: z.string().max(2_000).optional().describe('Why.'),
  }),
  entry('comment', 'Someone commented on the task.', {
    content: longText.describe('The comment.'),
    author: z.string().max(1_000).optional().describe('The author, as the other platform names them.'),
    edited_at: timestampOutput.optional().describe('When the content was last changed on the other platform.'),
    deleted_at: timestampOutput
      .optional()
      .describe('When the comment was deleted on the other platform. Its content is then empty.'),
  }),
  entry('edit', 'Fields of the task were changed.', {
    changed: z.array(word).max(20).describe('Names of the changed fields.'),
  }),
  entry('assignment', 'The task was planned for an agent, or no longer is.', {
    assigned_agent: idOf('The agent. null: none.').nullable(),
    reason: z.string().max(1_000).describe('Why.'),
  }),
  entry('progress', 'The agent reported progress.', {
    percent_complete: z.int().min(0).max(100).optional().describe('How much of the work is done.'),
    estimate_remaining: hours.optional().describe('Estimated time until completion, in hours.'),
    milestones: z.array(milestone).max(100).optional().describe('All milestones as reported.'),
  }),
  entry('platform_status', 'The other platform changed the status word of its task.', {
    status: z.string().max(1_000).describe('The status word.'),
  }),
  entry('platform_change', 'The other platform changed something that tasks have no field for.', {
    field: word.describe(
      'What changed: list, folder, space, goal, key_result, start_date, time_estimate, time_spent, assignees or custom_field.',
    ),
    title: z.string().max(500).optional().describe('Name of the custom field.'),
    from: z.string().max(1_000).optional().describe('The value before, if it is known.'),
    to: z.string().max(1_000).optional().describe('The value after. It is missing if the value was cleared.'),
  }),
  entry('pull_request', 'Something happened to a pull request that is linked to the task.', {
    repository: z.string().max(512).describe('The repository, with its owner.'),
    number: z.int().min(1).max(2_147_483_647).describe('Number of the pull request.'),
    action: word.describe(
      'opened, synchronize, edited, ready_for_review, reopened, closed, merged, reviewed or checks. New values can be added.',
    ),
    title: z.string().max(500).describe('Title of the pull request.'),
    url: z.string().max(2_048).describe('Where the pull request, the review or the result of the checks is.'),
    author: z.string().max(1_000).optional().describe('Who did it, as the source host names them.'),
    sha: z.string().max(128).optional().describe('The commit.'),
    check: z.string().max(1_000).optional().describe('Of checks: the name of the workflow or app.'),
    conclusion: word.optional().describe('What a review or checks came to, for example approved or failure.'),
    reason: z.string().max(1_000).optional().describe('Why the merge did not complete the task.'),
  }),
  entry('input', 'The agent asked a person.', {
    input_id: inputId,
    kind: word.describe('question, choice, approval, form or permission.'),
    prompt: longText.describe('What the agent asked.'),
    blocking: z.boolean().describe('Whether the agent waits for the answer.'),
  }),
  entry('answer', 'A person answered an input, or it expired.', {
    input_id: inputId,
    answer: longText.optional().describe('The answer to a question or a choice.'),
    content: formContent.optional().describe('What was filled into a form.'),
    decision: word.optional().describe('The decision about an approval or a permission.'),
    comment: longText.optional().describe('A remark of the person who answered.'),
    author: z.string().max(1_000).optional().describe('The person, as the chat names them, if it was answered there.'),
    expired: z.boolean().optional().describe('Present and true if the input expired without an answer.'),
  }),
  entry('message', 'The agent was sent a message: by a person, or about its pull request.', {
    content: longText.describe('The message.'),
  }),
  entry('artifact', 'An artifact was attached.', {
    artifact_id: idOf('ID of the artifact.'),
    kind: artifactKind,
    title: z.string().max(500).optional().describe('Its title.'),
    url: z.string().max(2_048).optional().describe('Where it is.'),
  }),
  entry('handoff', 'The agent handed the task over.', {
    to_role: word.optional().describe('The role that gets the task.'),
    to_agent: idOf('The agent that gets the task.').optional(),
    summary: longText.describe('What the agent wrote for the next one.'),
  }),
  entry(
    'late_result',
    'An agent called complete or fail after it had lost its lease. The result is stored and has no effect.',
    {
      call: z.enum(['complete', 'fail']).describe('The call that the agent made.'),
      lease_id: idOf('ID of the lost lease.'),
      summary: longText.optional().describe('The summary that the agent sent.'),
      result: z.record(z.string(), z.unknown()).optional().describe('The result that the agent sent.'),
      reason: z.string().max(2_000).optional().describe('The reason that the agent sent.'),
    },
  ),
] as const;

/** One entry of a task's timeline. Clients skip unknown types. */
export const timelineItem = z.discriminatedUnion('type', kinds).meta({
  id: 'TaskTimelineEntry',
  description: 'Something that happened to a task. New kinds of entries can be added: skip those that you do not know.',
  example: {
    id: '0000000003',
    seq: 3,
    timestamp: exampleTime,
    actor: exampleId('usr'),
    type: 'comment',
    content: 'Half way.',
  },
});
export type TimelineItem = z.infer<typeof timelineItem>;

const text = z.string().max(500);

const commonFilters = {
  id: text,
  seq: wholeNumberInput(1, 2_147_483_647),
  type: text,
  timestamp: timestampInput,
  actor: text,
};
/** Fields that only some kinds of entries have; a missing one is like null. */
const kindFilters = {
  from: text,
  to: text,
  content: text,
  author: text,
  edited_at: text,
  deleted_at: text,
  field: text,
  assigned_agent: text,
  reason: text,
  percent_complete: wholeNumberInput(0, 100),
  estimate_remaining: text,
  status: text,
  input_id: text,
  kind: text,
  prompt: text,
  blocking: z.enum(['true', 'false']),
  answer: text,
  decision: text,
  comment: text,
  expired: z.enum(['true', 'false']),
  artifact_id: text,
  title: text,
  url: text,
  to_role: text,
  to_agent: text,
  summary: text,
  call: text,
  lease_id: text,
  repository: text,
  number: wholeNumberInput(1, 2_147_483_647),
  action: text,
  sha: text,
  check: text,
  conclusion: text,
};

export const timelineQuery = listQuery({
  sortable: [
    'seq',
    'id',
    'type',
    'timestamp',
    'actor',
    'from',
    'to',
    'content',
    'author',
    'edited_at',
    'deleted_at',
    'field',
    'assigned_agent',
    'reason',
    'percent_complete',
    'estimate_remaining',
    'status',
    'input_id',
    'kind',
    'prompt',
    'blocking',
    'answer',
    'decision',
    'comment',
    'expired',
    'artifact_id',
    'title',
    'url',
    'to_role',
    'to_agent',
    'summary',
    'call',
    'lease_id',
    'repository',
    'number',
    'action',
    'sha',
    'check',
    'conclusion',
  ],
  filters: { ...commonFilters, ...kindFilters },
});
export type TimelineQuery = z.output<typeof timelineQuery>;

export const timelineList = listResponse(timelineItem);
