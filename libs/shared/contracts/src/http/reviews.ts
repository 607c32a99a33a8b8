import { z } from 'zod';
import { artifactKind, artifactKinds } from './artifacts.ts';
import { freeForm, idOf, requiredText, role } from '../fields.ts';

const score = z.int().min(0).max(100);

export const scores = z
  .strictObject({
    code_quality: score.optional().describe('Quality of the code.'),
    requirements_clarity: score.optional().describe('Clarity of the requirements.'),
  })
  .meta({ id: 'ScoresInput', description: 'How good the work is, from 0 to 100.' });

const artifacts = z
  .array(artifactKind)
  .max(artifactKinds.length)
  .describe('The task needs at least one artifact of each of these kinds, from any attempt.');
const resultSchema = freeForm(16 * 1024).describe(
  'JSON Schema (2020-12) that the `result` must match. `pattern`, `patternProperties` and remote `$ref` are not allowed.',
);
const reviewText =
  'Who decides whether the work is good: a role, one agent, or a person. Name exactly one. Agents never review their own work.';
const agentId = idOf('The agent that decides.');
const reviewRole = role.describe('The role whose agents decide.');
const person = z.literal(true).describe('A person decides.');
const exampleReview = { role: 'qa' };

export const acceptance = z
  .strictObject({
    artifacts: artifacts.optional(),
    result_schema: resultSchema.optional(),
    review: z
      .strictObject({ role: reviewRole.optional(), agent_id: agentId.optional(), person: person.optional() })
      .meta({ id: 'Reviewer', description: reviewText, example: exampleReview })
      .optional(),
  })
  .meta({
    id: 'TaskContract',
    description: 'Completion requirements: what an agent must deliver before the task counts as completed.',
  });
export type Acceptance = z.output<typeof acceptance>;

export const acceptancePatch = z
  .strictObject({
    artifacts: artifacts.nullable().optional(),
    result_schema: resultSchema.nullable().optional(),
    review: z
      .strictObject({
        role: reviewRole.nullable().optional(),
        agent_id: agentId.nullable().optional(),
        person: person.nullable().optional(),
      })
      .meta({ id: 'ReviewerPatch', description: reviewText, example: exampleReview })
      .nullable()
      .optional(),
  })
  .meta({ id: 'TaskContractPatch', description: 'Completion requirements as a merge patch: null removes a part.' });
export type AcceptancePatch = z.output<typeof acceptancePatch>;

/** Names the work of one attempt that is in review. */
export const submission = z.int().min(0).max(2_147_483_647);

export const reviewBody = z
  .strictObject({
    submission: submission
      .optional()
      .describe(
        'The `submission` of the task that you decide about. If other work is in review now, the response is 409. Left out: whatever is in review.',
      ),
    comment: requiredText(65_536).optional().describe('Why you decided so. The next agent gets it.'),
    scores: scores.optional(),
  })
  .meta({
    id: 'ReviewDecision',
    description: 'A remark and scores for the work that you approve or reject.',
    example: { submission: 2, comment: 'Clean, and well tested.', scores: { code_quality: 90 } },
  });
export type ReviewBody = z.output<typeof reviewBody>;
