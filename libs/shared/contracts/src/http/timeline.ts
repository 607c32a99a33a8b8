import { z } from 'zod';
import { artifactKinds } from './artifacts.ts';
import { hours, idOutput, timestampInput, timestampOutput, wholeNumberInput } from './fields.ts';
import { listQuery, listResponse } from './list.ts';
import { milestone } from './tasks.ts';

const entryFields = {
  id: idOutput.meta({ example: '0000000003', description: 'Unique in the task; ids sort as their entries came.' }),
  seq: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .meta({ description: 'Number of the entry in its task, from 1 without a gap.' }),
  timestamp: timestampOutput,
  actor: z.string().max(64).meta({ description: 'Who: an id, or system for the service itself.' }),
};
const word = z.string().max(64);
const longText = z.string().max(65_536);

/** What tells the kinds of entries apart, in the words of the interface's activity. */
const kinds = [
  z.object({ ...entryFields, type: z.literal('created') }),
  z.object({
    ...entryFields,
    type: z.literal('status_change'),
    from: word,
    to: word,
    reason: z.string().max(2_000).optional(),
  }),
  z.object({
    ...entryFields,
    type: z.literal('comment'),
    content: longText,
    author: z.string().max(1_000).optional().meta({ description: 'Whom a platform names as the author.' }),
  }),
  z.object({ ...entryFields, type: z.literal('edit'), changed: z.array(word).max(20) }),
  z.object({
    ...entryFields,
    type: z.literal('assignment'),
    assigned_agent: idOutput.nullable(),
    reason: z.string().max(1_000),
  }),
  z.object({
    ...entryFields,
    type: z.literal('progress'),
    percent_complete: z.int().min(0).max(100).optional(),
    estimate_remaining: hours.optional(),
    milestones: z.array(milestone).max(100).optional(),
  }),
  z.object({ ...entryFields, type: z.literal('platform_status'), status: z.string().max(1_000) }),
  z.object({
    ...entryFields,
    type: z.literal('input'),
    input_id: idOutput,
    kind: word,
    prompt: longText,
    blocking: z.boolean(),
  }),
  z.object({
    ...entryFields,
    type: z.literal('answer'),
    input_id: idOutput,
    answer: longText.optional(),
    decision: word.optional(),
    comment: longText.optional(),
    expired: z.boolean().optional().meta({ description: 'Nobody answered in time.' }),
  }),
  z.object({ ...entryFields, type: z.literal('message'), content: longText }),
  z.object({
    ...entryFields,
    type: z.literal('artifact'),
    artifact_id: idOutput,
    kind: z.enum(artifactKinds).describe('What was made.'),
    title: z.string().max(500).optional(),
    url: z.string().max(2_048).optional(),
  }),
  z.object({
    ...entryFields,
    type: z.literal('handoff'),
    to_role: word.optional(),
    to_agent: idOutput.optional(),
    summary: longText,
  }),
  z
    .object({
      ...entryFields,
      type: z.literal('late_result'),
      call: z.enum(['complete', 'fail']).describe('What the agent would have done.'),
      lease_id: idOutput,
      summary: longText.optional(),
      result: z.record(z.string(), z.unknown()).optional(),
      reason: z.string().max(2_000).optional(),
    })
    .meta({ description: 'What came from an agent after it had lost its lease: kept, and without effect.' }),
] as const;

/** One entry of a task's timeline. Clients pass over types that they do not know. */
export const timelineItem = z.discriminatedUnion('type', kinds);
export type TimelineItem = z.infer<typeof timelineItem>;

const text = z.string().max(500);

const commonFilters = {
  id: text,
  seq: wholeNumberInput(1, 2_147_483_647),
  type: text,
  timestamp: timestampInput,
  actor: text,
};
/** Of fields that only some kinds of entries have; where one is missing it is like null. */
const kindFilters = {
  from: text,
  to: text,
  content: text,
  author: text,
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
};

export const timelineQuery = listQuery({
  sortable: [
    ...(['seq', 'id', 'type', 'timestamp', 'actor'] as const),
    ...(['from', 'to', 'content', 'author', 'assigned_agent', 'reason'] as const),
    ...(['percent_complete', 'estimate_remaining', 'status'] as const),
    ...(['input_id', 'kind', 'prompt', 'blocking', 'answer', 'decision', 'comment', 'expired'] as const),
    ...(['artifact_id', 'title', 'url', 'to_role', 'to_agent', 'summary', 'call', 'lease_id'] as const),
  ],
  filters: { ...commonFilters, ...kindFilters },
});
export type TimelineQuery = z.output<typeof timelineQuery>;

export const timelineList = listResponse(timelineItem);
