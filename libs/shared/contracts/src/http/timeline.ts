import { z } from 'zod';
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

/** What tells the kinds of entries apart, in the words of the interface's activity. */
const kinds = [
  z.object({ ...entryFields, type: z.literal('created') }),
  z.object({ ...entryFields, type: z.literal('status_change'), from: word, to: word }),
  z.object({
    ...entryFields,
    type: z.literal('comment'),
    content: z.string().max(65_536),
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
] as const;

/** One entry of a task's timeline. Clients pass over types that they do not know. */
export const timelineItem = z.discriminatedUnion('type', kinds);
export type TimelineItem = z.infer<typeof timelineItem>;

const text = z.string().max(2_000);

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
};

export const timelineQuery = listQuery({
  sortable: [
    ...(['seq', 'id', 'type', 'timestamp', 'actor'] as const),
    ...(['from', 'to', 'content', 'author', 'assigned_agent', 'reason'] as const),
    ...(['percent_complete', 'estimate_remaining', 'status'] as const),
  ],
  filters: { ...commonFilters, ...kindFilters },
});
export type TimelineQuery = z.output<typeof timelineQuery>;

export const timelineList = listResponse(timelineItem);
