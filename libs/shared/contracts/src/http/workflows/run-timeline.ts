import { z } from 'zod';
import { idOutput, timestampInput, timestampOutput, wholeNumberInput } from '../fields.ts';
import { listQuery, listResponse } from '../list.ts';

const maxNumber = 2_147_483_647;
const entryFields = {
  id: idOutput.meta({ example: '0000000003', description: 'Unique in the run; ids sort as their entries came.' }),
  seq: z.int().min(1).max(maxNumber).meta({ description: 'Number of the entry in its run, from 1 without a gap.' }),
  timestamp: timestampOutput,
  actor: z.string().max(64).meta({ description: 'Who: an id, or system for the service itself.' }),
};
const stepKey = z.string().max(64).meta({ description: 'Id of the step in the definition.', example: 'implement' });
const stepFields = {
  ...entryFields,
  step_id: idOutput.meta({ example: 'stp_01ks0000000000000000000000' }),
  key: stepKey,
  task_id: idOutput.optional(),
  attempt: z.int().min(0).max(maxNumber).optional(),
};
const reason = z.string().max(2_000);
const comment = z.string().max(65_536).optional();

/** An entry about the run as a whole. */
const ofRun = <const T extends string>(type: T) => z.object({ ...entryFields, type: z.literal(type) });

const kinds = [
  ofRun('started'),
  z.object({ ...stepFields, type: z.literal('step_started'), assignee: idOutput.nullable().optional() }),
  z.object({ ...stepFields, type: z.literal('step_awaiting_approval') }),
  z.object({ ...stepFields, type: z.literal('step_approved'), comment }),
  z.object({ ...stepFields, type: z.literal('step_rejected'), comment }),
  z.object({ ...stepFields, type: z.literal('step_completed'), completed_by: idOutput.optional() }),
  z.object({
    ...stepFields,
    type: z.literal('step_failed'),
    reason,
    retry_at: timestampOutput.optional().meta({ description: 'When it is tried again; absent: it is not.' }),
  }),
  z.object({ ...stepFields, type: z.literal('step_skipped'), reason: reason.optional() }),
  z.object({ ...stepFields, type: z.literal('step_cancelled'), reason: reason.optional() }),
  ofRun('paused'),
  ofRun('resumed'),
  ofRun('retried'),
  ofRun('completed'),
  z.object({
    ...entryFields,
    type: z.literal('failed'),
    reason,
    step_id: idOutput.optional().meta({ description: 'Of the step that failed for the last time.' }),
    key: stepKey.optional(),
  }),
  ofRun('cancelled'),
] as const;

/** One entry of a run's timeline. Clients pass over types that they do not know. */
export const runTimelineItem = z.discriminatedUnion('type', kinds);
export type RunTimelineItem = z.infer<typeof runTimelineItem>;

const text = z.string().max(500);

/** Of fields that only some kinds of entries have; where one is missing it is like null. */
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
    ...(['seq', 'id', 'type', 'timestamp', 'actor'] as const),
    ...(['step_id', 'key', 'task_id', 'attempt', 'assignee', 'comment', 'completed_by', 'reason', 'retry_at'] as const),
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
