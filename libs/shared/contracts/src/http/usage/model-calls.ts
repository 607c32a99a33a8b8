import { z } from 'zod';
import { exampleId, idOf, requiredText } from '../../fields.ts';
import { exampleExpiry, fencingToken, leaseResult } from '../leases.ts';
import { usdInput } from './model-prices.ts';

const callId = z
  .string()
  .max(64)
  .regex(/^[\w.:-]{1,64}$/)
  .describe('Your ID of the call, unique within the lease. A call that is repeated with it has no further effect.');
const model = requiredText(200).describe('Name of the model, as the provider calls it.');
const tokens = z.int().min(0).max(1_000_000_000);
const exampleCall = { fencing_token: 1, call_id: 'call-1', model: 'example-large-1' };

export const startModelCallBody = z
  .strictObject({
    fencing_token: fencingToken,
    call_id: callId,
    model,
    input_tokens: tokens.describe('Maximum number of input tokens. The bytes of the request are such a number.'),
    max_output_tokens: tokens.describe('Maximum number of output tokens.'),
  })
  .meta({
    id: 'StartModelCall',
    description: 'A call to a model that is about to begin.',
    example: { ...exampleCall, input_tokens: 12_000, max_output_tokens: 8_000 },
  });
export type StartModelCallBody = z.output<typeof startModelCallBody>;

export const modelCallDecision = leaseResult
  .extend({
    allowed: z.boolean().describe('Whether the call may begin.'),
    reason: z.string().max(2_000).nullable().describe('Why it may not, for people. null: it may, or has to wait.'),
    budget_id: idOf('ID of the budget that stands in the way. null: none does.').nullable(),
    wait_ms: z
      .int()
      .min(1)
      .max(60_000)
      .nullable()
      .describe('Other calls may use up what is left: ask again after so many ms. null: do not ask again.'),
  })
  .meta({
    id: 'ModelCallDecision',
    base: 'LeaseState',
    description: 'Whether a call to a model may begin, and the state of the lease.',
    example: {
      expires_at: exampleExpiry,
      directives: [],
      allowed: false,
      reason: 'The budget is used up: 20.04 of 20 USD on 2026-11-20.',
      budget_id: exampleId('bud'),
      wait_ms: null,
    },
  });
export type ModelCallDecision = z.infer<typeof modelCallDecision>;

export const reportModelCallBody = z
  .strictObject({
    fencing_token: fencingToken,
    call_id: callId,
    model,
    source: z
      .enum(['proxy', 'agent'])
      .default('proxy')
      .describe('proxy: you counted the tokens in the response. agent: the agent said it, and no call was started.'),
    input_tokens: tokens.default(0).describe('Input tokens that were in no cache.'),
    output_tokens: tokens.default(0).describe('Output tokens.'),
    cache_read_tokens: tokens.default(0).describe('Input tokens that were read from a cache.'),
    cache_write_tokens: tokens.default(0).describe('Input tokens that were written into a cache.'),
    cost_usd: usdInput(1_000_000)
      .optional()
      .describe('What the agent says that it cost. It counts if the model has no price.'),
  })
  .meta({
    id: 'ReportModelCall',
    description: 'What a call to a model has used.',
    example: { ...exampleCall, input_tokens: 9_800, output_tokens: 640 },
  });
export type ReportModelCallBody = z.output<typeof reportModelCallBody>;

export const modelCallResult = leaseResult
  .extend({
    cost_usd: z.number().min(0).max(1_000_000_000).nullable().describe('What it cost. null: the model has no price.'),
    exhausted: z
      .string()
      .max(2_000)
      .nullable()
      .describe('Why no further call of the task may begin now. null: its budgets have something left.'),
  })
  .meta({
    id: 'ModelCallReported',
    base: 'LeaseState',
    description: 'What the call cost, and the state of the lease.',
    example: { expires_at: exampleExpiry, directives: [], cost_usd: 0.039, exhausted: null },
  });
export type ModelCallResult = z.infer<typeof modelCallResult>;
