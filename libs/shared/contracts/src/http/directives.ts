import { z } from 'zod';
import { exampleId, exampleTime, idOf, timestampOutput } from '../fields.ts';
import { formContent } from './asking/form.ts';
import { inputDecision } from './asking/input-decision.ts';

const common = {
  id: idOf('ID of the directive. Acknowledge it with this id.'),
  created_at: timestampOutput.describe('When the directive was sent.'),
};
const kindOf = <const K extends string>(kind: K) => z.literal(kind).describe('The kind of the directive.');
const longText = z.string().max(65_536);
const reason = z.string().max(2_000).describe('Why.');

const kinds = [
  z
    .object({
      ...common,
      kind: kindOf('answer'),
      input_id: idOf('ID of the input that was answered.'),
      answer: longText.optional().describe('The answer to a question or a choice.'),
      content: formContent.optional().describe('What was filled into a form.'),
      decision: inputDecision.optional(),
      comment: longText.nullable().optional().describe('A remark of the person who answered.'),
      expired: z.boolean().optional().describe('Present and true if the input expired without an answer.'),
    })
    .meta({ id: 'AnswerDirective', description: 'A person answered an input of the agent.' }),
  z
    .object({
      ...common,
      kind: kindOf('message'),
      content: longText.describe('The message.'),
      author: z
        .string()
        .max(64)
        .describe(
          'ID of who sent it: a person, a credential, an agent that reviewed, or the integration of the pull request.',
        ),
    })
    .meta({ id: 'MessageDirective', description: 'A message to the agent: of a person, or about its pull request.' }),
  z.object({ ...common, kind: kindOf('cancel'), reason }).meta({
    id: 'CancelDirective',
    description: 'The task was cancelled, and the lease has ended. Stop, and discard the work.',
  }),
  z.object({ ...common, kind: kindOf('lease_lost'), reason }).meta({
    id: 'LeaseLostDirective',
    description: 'The agent no longer holds the task. Stop, and claim again.',
  }),
] as const;

/** An order to the agent, included in every response under its lease until it is acknowledged. */
const directive = z.discriminatedUnion('kind', kinds).meta({
  id: 'Directive',
  description:
    'An instruction to the agent. Every response under the lease repeats it until the agent acknowledges it: `directives` while the lease is held, `error.directives` of the 409 with the constraint `lease_lost` once it has ended. `cancel` and `lease_lost` end the lease, so they come in that 409, whichever call the agent makes.',
});
export type Directive = z.infer<typeof directive>;

export const directiveList = z
  .array(directive)
  .max(1_000)
  .describe('Instructions to the agent that it has not acknowledged.');

export const exampleDirective = {
  id: exampleId('dir'),
  created_at: exampleTime,
  kind: 'message',
  content: 'Leave the API as it is.',
  author: exampleId('usr'),
};
