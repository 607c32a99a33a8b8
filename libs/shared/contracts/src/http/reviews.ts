import { z } from 'zod';
import { artifactKinds } from './artifacts.ts';
import { freeForm, idOutput, requiredText, role } from './fields.ts';

const score = z.int().min(0).max(100);

/** How good the work is, from 0 to 100. */
export const scores = z.strictObject({ code_quality: score.optional(), requirements_clarity: score.optional() });

const artifacts = z.array(z.enum(artifactKinds).describe('A kind of artifact.')).max(artifactKinds.length).meta({
  description: 'At least one artifact of each of these kinds, of any attempt.',
});
const resultSchema = freeForm(16 * 1024).meta({
  description:
    'JSON Schema (2020-12) that the result fits: without pattern and patternProperties, with local $ref only.',
});
const reviewDescription = 'Who decides whether the work is good: a role, one agent, or a person; never the author.';

/** What an agent has to bring before its task counts as done. */
export const taskContract = z.strictObject({
  artifacts: artifacts.optional(),
  result_schema: resultSchema.optional(),
  review: z
    .strictObject({
      role: role.optional(),
      agent_id: idOutput.optional(),
      person: z.literal(true).optional().describe('A person decides.'),
    })
    .optional()
    .meta({ description: reviewDescription, example: { role: 'qa' } }),
});
export type TaskContract = z.output<typeof taskContract>;

/** The same as a JSON merge patch: null takes a part away. */
export const taskContractPatch = z.strictObject({
  artifacts: artifacts.nullable().optional(),
  result_schema: resultSchema.nullable().optional(),
  review: z
    .strictObject({
      role: role.nullable().optional(),
      agent_id: idOutput.nullable().optional(),
      person: z.literal(true).nullable().optional().describe('A person decides.'),
    })
    .nullable()
    .optional()
    .meta({ description: reviewDescription, example: { role: 'qa' } }),
});
export type TaskContractPatch = z.output<typeof taskContractPatch>;

/** A person's decision on work that waits for one. */
export const reviewBody = z.strictObject({ comment: requiredText(65_536).optional(), scores: scores.optional() });
export type ReviewBody = z.output<typeof reviewBody>;
