import { z } from 'zod';
import { exampleId, exampleTime, idOf, timestampInput, timestampOutput, wholeNumberInput } from '../../fields.ts';
import { maxPageSize } from '../list.ts';

export const inboundSources = ['taskplatform', 'sourcehost'] as const;
const inboundStates = ['received', 'applied', 'ignored', 'quarantined', 'failed'] as const;

/** What a receiver takes; a character is stored as at most four bytes. */
const maxBodyBytes = 5_242_880;

const source = z.enum(inboundSources).meta({
  id: 'InboundSource',
  description:
    'taskplatform: a task-management platform; sourcehost: a source host such as GitHub. New values can be added.',
});

const state = z.enum(inboundStates).meta({
  id: 'InboundState',
  description: [
    'received: it will be applied; applied: it changed something here, or published an event; ignored: there was nothing to change;',
    'quarantined: the name of the event is not known; failed: it could not be applied. New values can be added.',
  ].join(' '),
});

const exampleReceipt = {
  id: exampleId('inb'),
  integration_id: exampleId('int'),
  source: 'taskplatform',
  event: 'taskStatusUpdated',
  external_id: '86abc1',
  state: 'failed',
  reason: 'too_large',
  detail: 'too_large: 501 history items, limit 500',
  received_at: exampleTime,
  settled_at: '2026-11-20T10:00:01Z',
  repeats: 0,
  body_bytes: 61_204,
};

export const inboundEvent = z
  .object({
    id: idOf('ID of the inbound event.'),
    integration_id: idOf('The integration that signed it. null: it was accepted without a signature.').nullable(),
    source,
    event: z.string().max(255).describe('Name of the event, as the sender gave it.'),
    external_id: z
      .string()
      .max(1_024)
      .nullable()
      .describe('What it is about, by the ID of the sender: for example a task of the platform.'),
    state,
    reason: z
      .string()
      .max(64)
      .nullable()
      .describe(
        'Why it was not applied. A word for programs: `not_newer`, `unknown_event`, `too_large`, `refused`, `gave_up` and others. null while it waits, and when it was applied.',
      ),
    detail: z.string().max(2_000).nullable().describe('What became of it, for people.'),
    received_at: timestampOutput.describe('When it arrived.'),
    settled_at: timestampOutput.nullable().describe('When it was applied, ignored or failed.'),
    repeats: z.int().min(0).max(2_147_483_647).describe('How often it arrived again. Repeats are not applied.'),
    body_bytes: z
      .int()
      .min(0)
      .max(maxBodyBytes * 4)
      .nullable()
      .describe('Size of the stored body. null: it was removed for its age.'),
  })
  .meta({ id: 'InboundEvent', description: 'A webhook that an integration received.', example: exampleReceipt });
export type InboundEventResource = z.infer<typeof inboundEvent>;

export const inboundEventDetail = inboundEvent
  .extend({
    body: z
      .string()
      .max(maxBodyBytes)
      .nullable()
      .describe('The body exactly as it arrived, as text: with every field that the sender wrote.'),
    body_reason: z
      .enum(['retention'])
      .nullable()
      .describe('Why `body` is null. retention: it was removed for its age. New values can be added.'),
  })
  .meta({
    id: 'InboundEventDetail',
    base: 'InboundEvent',
    description: 'A webhook that an integration received, with its body.',
    example: { ...exampleReceipt, body: '{"event":"taskStatusUpdated","task_id":"86abc1"}', body_reason: null },
  });
export type InboundEventDetail = z.infer<typeof inboundEventDetail>;

const text = (maxLength: number) => z.string().max(maxLength);

/** What inbound events are selected by, in lists. Timestamps are moments of arrival. */
const filters = {
  integration_id: text(64).describe('Only those of this integration; `unsigned`: those without a signature.'),
  source: z.enum(inboundSources).describe('Only those of this kind of sender.'),
  event: text(255).describe('Only those with this name.'),
  state: z.enum(inboundStates).describe('Only those in this state.'),
  external_id: text(1_024).describe('Only those about this thing of the sender.'),
  received_after: timestampInput.describe('Only those that arrived at or after this time.'),
  received_before: timestampInput.describe('Only those that arrived before this time.'),
};

export const inboundEventListQuery = z.object({
  limit: wholeNumberInput(1, maxPageSize)
    .optional()
    .meta({ default: 20, description: 'Maximum number of items in the page.' }),
  after: text(64)
    .optional()
    .describe('The `next_cursor` of the previous page, or the ID of an inbound event. Without it: the first page.'),
  ...z.object(filters).partial().shape,
});
export type InboundEventListQuery = z.output<typeof inboundEventListQuery>;

const inboundPagination = z
  .object({
    limit: z.int().min(1).max(maxPageSize).describe('Maximum number of items in the page.'),
    has_more: z.boolean().describe('Whether more items may follow.'),
    next_cursor: z
      .string()
      .max(64)
      .nullable()
      .describe('Send it as `after` to get the next page; null on the last page.'),
  })
  .meta({ id: 'InboundPagination', description: 'Position of a page.' });

export const inboundEventList = z
  .object({
    data: z.array(inboundEvent).max(maxPageSize).describe('The items of the page, newest first.'),
    pagination: inboundPagination,
  })
  .meta({
    id: 'InboundEventPage',
    description:
      'A page of inbound events. A page with filters can have fewer items than `limit` although more follow.',
    example: { data: [exampleReceipt], pagination: { limit: 20, has_more: false, next_cursor: null } },
  });
export type InboundEventList = z.infer<typeof inboundEventList>;
