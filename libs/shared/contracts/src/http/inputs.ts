import { z } from 'zod';
import { idOutput, requiredText, timestampInput, timestampOutput } from './fields.ts';
import { fencingToken, leaseResult } from './leases.ts';
import { listQuery, listResponse } from './list.ts';

export const inputKinds = ['question', 'choice', 'approval'] as const;
export const inputStatuses = ['pending', 'answered', 'expired', 'cancelled'] as const;
const decisions = ['approve', 'reject'] as const;

const kind = z.enum(inputKinds).meta({
  description: 'A question is answered with text, a choice with one of its options, an approval with a decision.',
});
const decision = z.enum(decisions).meta({ description: 'Of an approval.' });
const longText = z.string().max(65_536);

/** What an agent asks a person. */
export const askInputBody = z
  .strictObject({
    fencing_token: fencingToken,
    kind,
    prompt: requiredText(65_536),
    options: z
      .array(requiredText(500))
      .max(20)
      .default([])
      .meta({ description: 'At least two different ones for a choice, none for the others.' }),
    blocking: z
      .boolean()
      .default(true)
      .meta({ description: 'The agent cannot go on without it: the lease is parked.' }),
    expires_in_seconds: z.int().min(60).max(2_592_000).default(259_200),
  })
  .meta({
    example: {
      fencing_token: 1,
      kind: 'choice',
      prompt: 'How many logins a minute?',
      options: ['5', '10'],
      blocking: true,
      expires_in_seconds: 3_600,
    },
  });
export type AskInputBody = z.output<typeof askInputBody>;

export const inputResource = z.object({
  id: idOutput.meta({ example: 'inp_01ks0000000000000000000000' }),
  task_id: idOutput,
  lease_id: idOutput,
  agent_id: idOutput,
  kind,
  prompt: longText,
  options: z.array(z.string().max(500)).max(20),
  blocking: z.boolean(),
  status: z.enum(inputStatuses).meta({ description: 'Called off when its lease ends before anybody has answered.' }),
  answer: longText.nullable(),
  decision: decision.nullable(),
  comment: longText.nullable(),
  answered_by: z.string().max(64).nullable(),
  created_at: timestampOutput,
  expires_at: timestampOutput,
  answered_at: timestampOutput.nullable(),
});
export type InputResource = z.infer<typeof inputResource>;

/** What asking answers: with a blocking input the lease has no end until somebody has answered. */
export const askedInput = leaseResult.extend({ input: inputResource });
export type AskedInput = z.infer<typeof askedInput>;

export const answerInputBody = z.strictObject({
  answer: requiredText(65_536).optional().meta({ description: 'To a question or a choice.', example: 'Yes.' }),
  decision: decision.optional(),
  comment: requiredText(65_536).optional(),
});
export type AnswerInputBody = z.output<typeof answerInputBody>;

const text = z.string().max(500);

export const inputListQuery = listQuery({
  sortable: [
    ...(['created_at', 'id', 'task_id', 'lease_id', 'agent_id', 'kind', 'prompt', 'blocking', 'status'] as const),
    ...(['answer', 'decision', 'comment', 'answered_by', 'expires_at', 'answered_at'] as const),
  ],
  filters: {
    id: text,
    task_id: text,
    lease_id: text,
    agent_id: text,
    kind: z.enum(inputKinds),
    prompt: text,
    blocking: z.enum(['true', 'false']),
    status: z.enum(inputStatuses),
    answer: text,
    decision: z.enum(decisions),
    comment: text,
    answered_by: text,
    created_at: timestampInput,
    expires_at: timestampInput,
    answered_at: timestampInput,
  },
});
/** Filters of the list of inputs; an absent one matches everything. */
export type InputFilter = Omit<z.output<typeof inputListQuery>, 'limit' | 'offset' | 'after' | 'sort'>;

export const inputList = listResponse(inputResource);
