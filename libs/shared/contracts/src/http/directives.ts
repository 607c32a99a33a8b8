import { z } from 'zod';
import { idOutput, timestampOutput } from './fields.ts';

const common = { id: idOutput.meta({ example: 'dir_01ks0000000000000000000000' }), created_at: timestampOutput };
const longText = z.string().max(65_536);
const reason = z.string().max(2_000);

const kinds = [
  z
    .object({
      ...common,
      kind: z.literal('answer'),
      input_id: idOutput,
      answer: longText.optional(),
      decision: z.enum(['approve', 'reject']).optional().describe('What was decided.'),
      comment: longText.nullable().optional(),
      expired: z.boolean().optional().meta({ description: 'Nobody answered in time.' }),
    })
    .meta({ description: 'A person answered an input.' }),
  z
    .object({ ...common, kind: z.literal('message'), content: longText, author: z.string().max(64) })
    .meta({ description: 'A person says something.' }),
  z
    .object({ ...common, kind: z.literal('cancel'), reason })
    .meta({ description: 'The task is cancelled: stop, and throw the work away.' }),
  z
    .object({ ...common, kind: z.literal('lease_lost'), reason })
    .meta({ description: 'The task is not yours any more: stop, and claim again.' }),
] as const;

/** An order to the agent, handed over with every answer under its lease until it is acknowledged. */
export const directive = z.discriminatedUnion('kind', kinds).meta({ id: 'Directive' });
export type Directive = z.infer<typeof directive>;

export const directiveList = z.array(directive).max(1_000);
