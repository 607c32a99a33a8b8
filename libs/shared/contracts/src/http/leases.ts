import { z } from 'zod';
import { artifact, artifactDetail, shownArtifact } from './artifacts.ts';
import { directiveList } from './directives.ts';
import { freeForm, hours, idOutput, requiredText, role, timestampOutput } from './fields.ts';
import { scores, taskContract } from './reviews.ts';
import { milestone, taskResource } from './tasks.ts';

/** Proves that the caller still holds the lease: grows at every claim, expiry, release and cancel of the task. */
export const fencingToken = z.int().min(1).max(2_147_483_647);

export const lease = z.object({ lease_id: idOutput, fencing_token: fencingToken, expires_at: timestampOutput });
export type Lease = z.infer<typeof lease>;

export const claimBody = z.strictObject({ wait_seconds: z.int().min(0).max(30).default(0) });

const shownArtifacts = z.array(shownArtifact).max(100);
const longText = z.string().max(65_536);

/** What an agent has to know of the task beside the task itself. */
export const claimContext = z.object({
  attempt: z.int().min(1).max(2_147_483_647).meta({ description: 'Which claim of the task this is.' }),
  failures: z.int().min(0).max(2_147_483_647),
  lost_leases: z.int().min(0).max(2_147_483_647),
  checkpoint: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'What an earlier attempt left with checkpoint.' }),
  handoff: z
    .object({ from: idOutput, summary: longText })
    .nullable()
    .meta({ description: 'What the agent said that handed the task over, last.' }),
  artifacts: shownArtifacts.meta({ description: 'What earlier attempts made, the newest 100.' }),
  answers: z
    .array(
      z.object({
        input_id: idOutput,
        kind: z.string().max(64),
        prompt: longText,
        answer: longText.nullable(),
        decision: z.enum(['approve', 'reject']).nullable().describe('What was decided.'),
        comment: longText.nullable(),
      }),
    )
    .max(100)
    .meta({ description: 'What persons answered so far, the newest 100.' }),
  contract: taskContract.nullable().meta({ description: 'What complete has to meet.' }),
  parent: z
    .object({
      task_id: idOutput,
      title: z.string().max(500),
      summary: longText.nullable(),
      result: z.record(z.string(), z.unknown()).nullable(),
      artifacts: shownArtifacts,
    })
    .nullable()
    .meta({ description: 'Of a review: the work to be judged.' }),
});
export type ClaimContext = z.infer<typeof claimContext>;

/** `context` is what an earlier attempt left; `directives` are orders to the agent, handed over until acknowledged. */
export const claimResult = z.object({
  task: taskResource,
  lease,
  context: claimContext,
  directives: directiveList,
});
export type ClaimResult = z.infer<typeof claimResult>;

/** What every call under a lease answers; such a call renews the lease. */
export const leaseResult = z.object({
  expires_at: timestampOutput.nullable(),
  directives: directiveList,
});
export type LeaseResult = z.infer<typeof leaseResult>;

export const heartbeatBody = z.strictObject({ fencing_token: fencingToken });
export type HeartbeatBody = z.output<typeof heartbeatBody>;

export const progressBody = z.strictObject({
  fencing_token: fencingToken,
  percent_complete: z.int().min(0).max(100).optional(),
  estimate_remaining: hours.optional(),
  milestones: z.array(milestone.strict()).max(100).optional(),
  comment: requiredText(65_536).optional(),
});
export type ProgressBody = z.output<typeof progressBody>;

export const completeBody = z.strictObject({
  fencing_token: fencingToken,
  summary: z.string().max(65_536).optional(),
  result: freeForm().optional(),
  artifacts: z.array(artifact).max(100).optional(),
  scores: scores.optional(),
});
export type CompleteBody = z.output<typeof completeBody>;

export const checkpointBody = z.strictObject({
  fencing_token: fencingToken,
  data: freeForm().meta({ description: 'Handed to the next attempt, in place of what was left before.' }),
});
export type CheckpointBody = z.output<typeof checkpointBody>;

export const artifactBody = z.strictObject({ fencing_token: fencingToken, ...artifact.shape });
export type ArtifactBody = z.output<typeof artifactBody>;
export type NewArtifact = z.output<typeof artifact>;

export const artifactResult = leaseResult.extend({
  artifact: artifactDetail.extend({ task_id: idOutput, lease_id: idOutput, agent_id: idOutput }),
});
export type ArtifactResource = z.infer<typeof artifactResult>['artifact'];

export const acknowledgeBody = z.strictObject({
  fencing_token: fencingToken,
  directive_ids: z.array(idOutput).max(1_000).default([]),
});
export type AcknowledgeBody = z.output<typeof acknowledgeBody>;

const reason = requiredText(2_000).meta({ example: 'The test database does not start.' });
const seconds = z.int().min(0).max(86_400);

export const failBody = z.strictObject({
  fencing_token: fencingToken,
  reason,
  retryable: z.boolean().default(true).meta({ description: 'false: the task fails now; nobody is to try it again.' }),
  retry_after_seconds: seconds
    .optional()
    .meta({ description: 'Not to be claimed before; unset: 10 s, twice as long each time, at most 10 minutes.' }),
});
export type FailBody = z.output<typeof failBody>;

export const releaseBody = z.strictObject({
  fencing_token: fencingToken,
  reason: reason.optional(),
  not_before_seconds: seconds.optional().meta({
    description:
      'Seconds before any agent can claim the task. Unset: other agents can claim it at once, this agent after 30 s.',
  }),
});
export type ReleaseBody = z.output<typeof releaseBody>;

const named = (field: string) => ({
  properties: { [field]: { type: 'string', maxLength: 64 } },
  required: [field],
});

export const handoffBody = z.strictObject({
  fencing_token: fencingToken,
  to: z
    .strictObject({ role: role.optional(), agent_id: requiredText(64).optional() })
    .refine(({ role: named, agent_id: agent }) => (named === undefined) !== (agent === undefined), {
      params: { constraint: 'required' },
      message: 'names either a role or an agent',
    })
    .meta({ oneOf: [named('role'), named('agent_id')], example: { role: 'qa' } }),
  summary: requiredText(65_536).meta({ example: 'The fix is on branch fix/login; it needs a test on Safari.' }),
});
export type HandoffBody = z.output<typeof handoffBody>;

/** What a person says to whoever works on a task. */
export const messageBody = z.strictObject({
  content: requiredText(65_536).meta({ example: 'Leave the API as it is.' }),
});
export type MessageBody = z.output<typeof messageBody>;
