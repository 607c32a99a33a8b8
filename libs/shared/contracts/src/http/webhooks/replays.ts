import { z } from 'zod';
import { exampleId, exampleTime, idOf, timestampInput, timestampOutput } from '../../fields.ts';
import { deliveryStatus } from './deliveries.ts';
import { listQuery, listResponse } from '../list.ts';
import { replayHistory } from '../replay-fields.ts';
import { subscriptionInput } from '../subscription-input.ts';

/** No more deliveries are counted. */
export const maxReplayTotal = 1_000_000;
const maxReplayRate = 1_000;

const fromText = 'Only events at or after this time.';
const toText = 'Only events before this time. Without it: until the request.';
const typesText = 'Only events of these types.';
const statusesText = 'Only deliveries with one of these statuses.';

const exampleFilter = { from: exampleTime, to: '2026-11-20T12:00:00Z', event_types: ['task.*'], statuses: ['dead'] };

const replayFilterInput = z
  .strictObject({
    from: timestampInput
      .nullish()
      .describe(
        `${fromText} It must not be older than the deliveries that are stored (30 days unless the service is set up otherwise).`,
      ),
    to: timestampInput.nullish().describe(toText),
    event_types: z.array(subscriptionInput).min(1).max(100).nullish().describe(typesText),
    statuses: z.array(deliveryStatus).min(1).max(10).default(['dead']).describe(statusesText),
  })
  .meta({ id: 'ReplayFilterInput', description: 'Which deliveries to send again.', example: exampleFilter });
export type ReplayFilterInput = z.output<typeof replayFilterInput>;

export const createReplayBody = z
  .strictObject({
    filter: replayFilterInput.default({ statuses: ['dead'] }),
    max_per_second: z
      .int()
      .min(1)
      .max(maxReplayRate)
      .default(50)
      .describe('Maximum number of deliveries that become due in a second.'),
    dry_run: z.boolean().default(false).describe('Whether to count the deliveries only.'),
  })
  .meta({
    id: 'CreateReplay',
    description: 'Deliveries to send again.',
    example: { filter: exampleFilter, max_per_second: 50 },
  });
export type CreateReplayBody = z.output<typeof createReplayBody>;

const replayFilter = z
  .object({
    from: timestampOutput.nullable().describe(fromText),
    to: timestampOutput.nullable().describe(toText),
    event_types: z.array(z.string().max(64)).max(100).nullable().describe(typesText),
    statuses: z.array(deliveryStatus).max(10).describe(statusesText),
  })
  .meta({ id: 'ReplayFilter', description: 'Which deliveries are sent again.', example: exampleFilter });
export type ReplayFilter = z.infer<typeof replayFilter>;

const total = z
  .int()
  .min(0)
  .max(maxReplayTotal)
  .describe(`Number of deliveries that matched, counted up to ${maxReplayTotal}.`);

export const replayPreview = z.object({ total, filter: replayFilter }).meta({
  id: 'ReplayPreview',
  description: 'What a replay would send again.',
  example: { total: 1_200, filter: exampleFilter },
});
export type ReplayPreview = z.infer<typeof replayPreview>;

const replayStatuses = ['running', 'completed', 'cancelled'] as const;
const replayStatus = z.enum(replayStatuses).meta({
  id: 'ReplayStatus',
  description:
    'running: deliveries become due; completed: all of them did; cancelled: by a caller, or because the webhook was disabled or deleted. New values can be added.',
});

export const replayResource = z
  .object({
    id: idOf('ID of the replay.'),
    webhook_id: idOf('The webhook that gets the deliveries.'),
    status: replayStatus,
    filter: replayFilter,
    max_per_second: z
      .int()
      .min(1)
      .max(maxReplayRate)
      .describe('Maximum number of deliveries that become due in a second.'),
    total,
    replayed: z
      .int()
      .min(0)
      .max(2_147_483_647)
      .describe(
        'Number of deliveries that became due so far. It can differ from `total` in the end: deliveries change meanwhile.',
      ),
    ...replayHistory,
  })
  .meta({
    id: 'Replay',
    description: 'Deliveries that are sent again, some at a time.',
    example: {
      id: exampleId('rpl'),
      webhook_id: exampleId('whk'),
      status: 'running',
      filter: exampleFilter,
      max_per_second: 50,
      total: 1_200,
      replayed: 350,
      created_by: exampleId('usr'),
      created_at: exampleTime,
      updated_at: exampleTime,
      finished_at: null,
    },
  });
export type ReplayResource = z.infer<typeof replayResource>;

const text = z.string().max(64);

export const replayListQuery = listQuery({
  sortable: ['created_at', 'id', 'status', 'created_by', 'updated_at', 'finished_at'],
  filters: {
    id: text,
    status: z.enum(replayStatuses),
    created_by: text,
    created_at: timestampInput,
    updated_at: timestampInput,
    finished_at: timestampInput,
  },
});
export type ReplayListQuery = z.output<typeof replayListQuery>;

export const replayList = listResponse(replayResource);
