import { z } from 'zod';
import { exampleId, exampleTime, idOf, timestampInput, timestampOutput } from '../../fields.ts';
import { inboundSources } from './inbound-events.ts';
import { replayHistory } from '../replay-fields.ts';

/** No more inbound events are counted. */
export const maxInboundReplayTotal = 1_000_000;
const maxRate = 500;

const states = ['failed', 'quarantined', 'ignored', 'applied'] as const;
const text = (maxLength: number) => z.string().min(1).max(maxLength);
const texts = {
  state: 'Only inbound events in this state.',
  integration_id: 'Only those of this integration; `unsigned`: those without a signature.',
  source: 'Only those of this kind of sender.',
  event: 'Only those with this name.',
  external_id: 'Only those about this thing of the sender.',
  received_after: 'Only those that arrived at or after this time.',
  received_before: 'Only those that arrived before this time. Without it: until the request.',
};

const exampleFilter = {
  state: 'failed',
  integration_id: exampleId('int'),
  source: null,
  event: null,
  external_id: null,
  received_after: exampleTime,
  received_before: null,
};

const filterInput = z
  .strictObject({
    state: z.enum(states).default('failed').describe(texts.state),
    integration_id: text(64).nullish().describe(texts.integration_id),
    source: z.enum(inboundSources).nullish().describe(texts.source),
    event: text(255).nullish().describe(texts.event),
    external_id: text(1_024).nullish().describe(texts.external_id),
    received_after: timestampInput.nullish().describe(texts.received_after),
    received_before: timestampInput.nullish().describe(texts.received_before),
  })
  .meta({
    id: 'InboundReplayFilterInput',
    description: 'Which inbound events to apply again.',
    example: { state: 'failed', received_after: exampleTime },
  });
export type InboundReplayFilterInput = z.output<typeof filterInput>;

const rate = z.int().min(1).max(maxRate);
const rateText = 'Maximum number of inbound events that are applied again in a second.';

export const createInboundReplayBody = z
  .strictObject({
    filter: filterInput.default({ state: 'failed' }),
    max_per_second: rate.default(50).describe(rateText),
    dry_run: z.boolean().default(false).describe('Whether to count the inbound events only.'),
  })
  .meta({
    id: 'CreateInboundReplay',
    description: 'Inbound events to apply again.',
    example: { filter: { state: 'failed' }, max_per_second: 50 },
  });
export type CreateInboundReplayBody = z.output<typeof createInboundReplayBody>;

const filter = z
  .object({
    state: z.enum(states).describe(texts.state),
    integration_id: text(64).nullable().describe(texts.integration_id),
    source: z.enum(inboundSources).nullable().describe(texts.source),
    event: text(255).nullable().describe(texts.event),
    external_id: text(1_024).nullable().describe(texts.external_id),
    received_after: timestampOutput.nullable().describe(texts.received_after),
    received_before: timestampOutput.nullable().describe(texts.received_before),
  })
  .meta({ id: 'InboundReplayFilter', description: 'Which inbound events are applied again.', example: exampleFilter });
export type InboundReplayFilter = z.infer<typeof filter>;

const total = z
  .int()
  .min(0)
  .max(maxInboundReplayTotal)
  .describe(`Number of inbound events that matched, counted up to ${maxInboundReplayTotal}.`);

export const inboundReplayPreview = z.object({ total, filter }).meta({
  id: 'InboundReplayPreview',
  description: 'What a replay would apply again.',
  example: { total: 120, filter: exampleFilter },
});
export type InboundReplayPreview = z.infer<typeof inboundReplayPreview>;

export const inboundReplay = z
  .object({
    id: idOf('ID of the replay.'),
    status: z.enum(['running', 'completed', 'cancelled']).meta({
      id: 'InboundReplayStatus',
      description:
        'running: inbound events are given to be applied; completed: all of them were; cancelled: by a caller. New values can be added.',
    }),
    filter,
    max_per_second: rate.describe(rateText),
    total,
    replayed: z
      .int()
      .min(0)
      .max(2_147_483_647)
      .describe(
        'Number of inbound events given to be applied so far. Those without a body, or with an unknown event, are skipped.',
      ),
    ...replayHistory,
  })
  .meta({
    id: 'InboundReplay',
    description: 'Inbound events that are applied again, some at a time.',
    example: {
      id: exampleId('rpl'),
      status: 'running',
      filter: exampleFilter,
      max_per_second: 50,
      total: 120,
      replayed: 50,
      created_by: exampleId('usr'),
      created_at: exampleTime,
      updated_at: exampleTime,
      finished_at: null,
    },
  });
export type InboundReplayResource = z.infer<typeof inboundReplay>;
