import { z } from 'zod';
import { exampleId, exampleTime, idOf, requiredText, timestampInput, timestampOutput } from '../fields.ts';
import { form, formContent, formContentInput } from './asking/form.ts';
import { formInput } from './asking/form-input.ts';
import { inputDecision, inputDecisions } from './asking/input-decision.ts';
import { permission, permissionInput } from './asking/permission.ts';
import { fencingToken, leaseResult } from './leases.ts';
import { listQuery, listResponse } from './list.ts';

export const inputKinds = ['question', 'choice', 'approval', 'form', 'permission'] as const;
export const inputStatuses = ['pending', 'answered', 'expired', 'cancelled'] as const;

const kind = z.enum(inputKinds).meta({
  id: 'InputKind',
  description:
    'A question is answered with text, a choice with one of its options, a form with the values of its fields, an approval or a permission with a decision. New values can be added.',
});
const longText = z.string().max(65_536);
const optionsText = 'The options of a choice: at least two different ones. Empty for the other kinds.';
const formText = 'The fields to fill in. Required for a form, not allowed for the other kinds.';
const permissionText =
  'What the agent wants to do. Required for a permission, not allowed for the other kinds. A person decides about it.';
const blockingText = 'Whether the agent needs the answer to continue. If true, the lease is parked until then.';

const exampleAsked = { kind: 'choice', prompt: 'How many logins a minute?', options: ['5', '10'], blocking: true };

/** How long an input waits for its answer. */
export const expiresInSeconds = z
  .int()
  .min(60)
  .max(2_592_000)
  .default(259_200)
  .describe('Number of seconds that a person has to answer. Default: 3 days.');

export const askInputBody = z
  .strictObject({
    fencing_token: fencingToken,
    kind,
    prompt: requiredText(65_536).describe('What you want to know.'),
    options: z.array(requiredText(500)).max(20).default([]).describe(optionsText),
    form: formInput.optional().describe(formText),
    permission: permissionInput.optional().describe(permissionText),
    blocking: z.boolean().default(true).describe(blockingText),
    expires_in_seconds: expiresInSeconds,
  })
  .meta({
    id: 'AskInput',
    description: 'A question, a choice, a form, or a request for approval or permission.',
    example: { fencing_token: 1, ...exampleAsked, expires_in_seconds: 3_600 },
  });
export type AskInputBody = z.output<typeof askInputBody>;

const exampleInput = {
  id: exampleId('inp'),
  task_id: exampleId('tsk'),
  lease_id: exampleId('lse'),
  agent_id: exampleId('agt'),
  ...exampleAsked,
  form: null,
  permission: null,
  status: 'answered',
  answer: '5',
  content: null,
  decision: null,
  comment: null,
  answered_by: exampleId('usr'),
  answered_by_name: null,
  created_at: exampleTime,
  expires_at: '2026-11-20T11:00:00Z',
  answered_at: '2026-11-20T10:10:00Z',
};

export const inputResource = z
  .object({
    id: idOf('ID of the input.'),
    task_id: idOf('ID of the task.'),
    lease_id: idOf('ID of the lease under which the agent asked.'),
    agent_id: idOf('ID of the agent that asked.'),
    kind,
    prompt: longText.describe('What the agent asked.'),
    options: z.array(z.string().max(500)).max(20).describe(optionsText),
    form: form.nullable().describe('The fields of a form. null: it is none.'),
    permission: permission.nullable().describe('What the agent wants permission for. null: it wants none.'),
    blocking: z.boolean().describe(blockingText),
    status: z.enum(inputStatuses).describe('State of the input. cancelled: its lease ended before a person answered.'),
    answer: longText.nullable().describe('The answer to a question or a choice.'),
    content: formContent.nullable().describe('What was filled into a form.'),
    decision: inputDecision.nullable(),
    comment: longText.nullable().describe('A remark of the person who answered.'),
    answered_by: z
      .string()
      .max(64)
      .nullable()
      .describe(
        'ID of the person or credential that answered; of the integration if it was answered in a chat or on a task platform.',
      ),
    answered_by_name: z
      .string()
      .max(200)
      .nullable()
      .describe('Name of the person who answered in a chat or on a task platform. null: it was answered elsewhere.'),
    created_at: timestampOutput.describe('When the agent asked.'),
    expires_at: timestampOutput.describe('When the input expires without an answer.'),
    answered_at: timestampOutput.nullable().describe('When a person answered.'),
  })
  .meta({ id: 'Input', description: 'Something that an agent asked a person.', example: exampleInput });
export type InputResource = z.infer<typeof inputResource>;

/** Response to a new input: with a blocking one the lease has no end until it is answered. */
export const askedInput = leaseResult.extend({ input: inputResource }).meta({
  id: 'InputAsked',
  base: 'LeaseState',
  description: 'The input, and the state of the lease.',
  example: {
    expires_at: null,
    directives: [],
    input: { ...exampleInput, status: 'pending', answer: null, answered_by: null, answered_at: null },
  },
});
export type AskedInput = z.infer<typeof askedInput>;

export const answerInputBody = z
  .strictObject({
    answer: requiredText(65_536).optional().describe('The answer to a question, or one of the options of a choice.'),
    content: formContentInput.optional(),
    decision: inputDecision.optional(),
    comment: requiredText(65_536).optional().describe('A remark for the agent.'),
  })
  .meta({
    id: 'AnswerInput',
    description:
      'The answer: `answer` for a question or a choice, `content` for a form, `decision` for an approval or a permission.',
    example: { answer: '5', comment: 'We can raise it later.' },
  });
export type AnswerInputBody = z.output<typeof answerInputBody>;

const text = z.string().max(500);

export const inputListQuery = listQuery({
  sortable: [
    'created_at',
    'id',
    'task_id',
    'lease_id',
    'agent_id',
    'kind',
    'prompt',
    'blocking',
    'status',
    'answer',
    'decision',
    'comment',
    'answered_by',
    'answered_by_name',
    'expires_at',
    'answered_at',
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
    decision: z.enum(inputDecisions),
    comment: text,
    answered_by: text,
    answered_by_name: text,
    created_at: timestampInput,
    expires_at: timestampInput,
    answered_at: timestampInput,
  },
});
export type InputFilter = Omit<z.output<typeof inputListQuery>, 'limit' | 'offset' | 'after' | 'sort'>;

export const inputList = listResponse(inputResource);
