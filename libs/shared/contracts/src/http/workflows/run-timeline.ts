import { z } from 'zod';
import { exampleId, exampleTime, idOf, timestampInput, timestampOutput, wholeNumberInput } from '../../fields.ts';
import { listQuery, listResponse } from '../list.ts';
import { entryOf } from '../timeline-entry.ts';

const maxNumber = 2_147_483_647;
const stepKey = z.string().max(64).meta({ description: 'Name of the step in the definition.', example: 'implement' });
const stepFields = {
  step_id: idOf('ID of the step.'),
  key: stepKey,
  task_id: idOf('The task of the attempt.').optional(),
  attempt: z.int().min(0).max(maxNumber).optional().describe('Number of the attempt.'),
};
const reason = z.string().max(2_000).describe('Why.');
const comment = z.string().max(65_536).optional().describe('A remark of the reviewer.');

const entry = entryOf('Run');

const kinds = [
  entry('started', 'The run started.', {}),
  entry('step_started', 'An attempt of a step started.', {
    ...stepFields,
    assignee: idOf('The agent that is planned for it. null: none.').nullable().optional(),
  }),
  entry('step_awaiting_approval', 'The work of a step waits for approval.', stepFields),
  entry('step_approved', 'The work of a step was approved.', { ...stepFields, comment }),
  entry('step_rejected', 'The work of a step was rejected.', { ...stepFields, comment }),
  entry('step_completed', 'A step was completed.', {
    ...stepFields,
    completed_by: idOf('Who completed it.').optional(),
  }),
  entry('step_failed', 'An attempt of a step failed.', {
    ...stepFields,
    reason,
    retry_at: timestampOutput.optional().describe('When it is tried again. Absent: it is not.'),
  }),
  entry('step_skipped', 'A step was skipped.', { ...stepFields, reason: reason.optional() }),
  entry('step_cancelled', 'A step was cancelled.', { ...stepFields, reason: reason.optional() }),
  entry('paused', 'The run was paused.', {}),
  entry('resumed', 'The run was resumed.', {}),
  entry('retried', 'The run was retried.', {}),
  entry('completed', 'The run was completed.', {}),
  entry('failed', 'The run failed.', {
    reason,
    step_id: idOf('ID of the step that failed.').optional(),
    key: stepKey.optional(),
  }),
  entry('cancelled', 'The run was cancelled.', {}),
] as const;

/** One entry of a run's timeline. Clients skip unknown types. */
export const runTimelineItem = z.discriminatedUnion('type', kinds).meta({
  id: 'RunTimelineEntry',
  description: 'Something that happened to a run. New kinds of entries can be added: skip those that you do not know.',
  example: {
    id: '0000000003',
    seq: 3,
    timestamp: exampleTime,
    actor: exampleId('agt'),
    type: 'step_completed',
    step_id: exampleId('stp'),
    key: 'implement',
    task_id: exampleId('tsk'),
    attempt: 1,
    completed_by: exampleId('agt'),
  },
});
export type RunTimelineItem = z.infer<typeof runTimelineItem>;

const text = z.string().max(500);

/** Fields that only some kinds of entries have; a missing one is like null. */
const kindFilters = {
  step_id: text,
  key: text,
  task_id: text,
  attempt: wholeNumberInput(0, maxNumber),
  assignee: text,
  comment: text,
  completed_by: text,
  reason: text,
  retry_at: timestampInput,
};

export const runTimelineQuery = listQuery({
  sortable: [
    'seq',
    'id',
    'type',
    'timestamp',
    'actor',
    'step_id',
    'key',
    'task_id',
    'attempt',
    'assignee',
    'comment',
    'completed_by',
    'reason',
    'retry_at',
  ],
  filters: {
    id: text,
    seq: wholeNumberInput(1, maxNumber),
    type: text,
    timestamp: timestampInput,
    actor: text,
    ...kindFilters,
  },
});
export type RunTimelineQuery = z.output<typeof runTimelineQuery>;

export const runTimelineList = listResponse(runTimelineItem);
