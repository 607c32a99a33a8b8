import { z } from 'zod';
import { formContent } from './asking/form.ts';
import { inputDecision } from './asking/input-decision.ts';
import { artifact, artifactDetail, exampleArtifact, shownArtifact } from './artifacts.ts';
import { directiveList, exampleDirective } from './directives.ts';
import {
  exampleId,
  exampleTime,
  freeForm,
  hours,
  idOf,
  idOutput,
  requiredText,
  role,
  timestampOutput,
} from '../fields.ts';
import { claimedProject } from './projects.ts';
import { scores, acceptance } from './reviews.ts';
import { exampleTask, reportedMilestone, taskResource } from './tasks.ts';

/** Proves that the caller still holds the lease: grows at every claim, expiry, release and cancel of the task. */
export const fencingToken = z
  .int()
  .min(1)
  .max(2_147_483_647)
  .describe('The token that came with the claim. It proves that you still hold the lease.');

export const exampleExpiry = '2026-11-20T10:01:00Z';
export const exampleLease = { lease_id: exampleId('lse'), fencing_token: 1, expires_at: exampleExpiry };

export const lease = z
  .object({
    lease_id: idOf('ID of the lease. It is part of the path of every further call.'),
    fencing_token: fencingToken,
    expires_at: timestampOutput.describe(
      'When the lease ends unless you renew it. Any call under the lease renews it.',
    ),
  })
  .meta({ id: 'Lease', description: 'The exclusive right to work on a task for a limited time.' });
export type Lease = z.infer<typeof lease>;

export const claimBody = z
  .strictObject({
    wait_seconds: z
      .int()
      .min(0)
      .max(30)
      .default(0)
      .describe('Maximum number of seconds to wait for a task if none is available now.'),
    projects: z
      .array(idOutput)
      .min(1)
      .max(20)
      .optional()
      .describe('IDs of projects: only their tasks are claimed, and none without a project. Absent: any task.'),
    lease_seconds: z
      .int()
      .min(60)
      .max(1_800)
      .optional()
      .describe(
        'For how many seconds each call under the lease renews it. Default: as the operator set, 60 unless changed.',
      ),
  })
  .meta({
    id: 'ClaimRequest',
    description: 'How long to wait for a task, of which projects, and for how long a lease lasts.',
    example: { wait_seconds: 20 },
  });

const shownArtifacts = z.array(shownArtifact).max(100);
const longText = z.string().max(65_536);
const count = z.int().min(0).max(2_147_483_647);

const answeredInput = z
  .object({
    input_id: idOf('ID of the input.'),
    kind: z.string().max(64).describe('question, choice, approval, form or permission.'),
    prompt: longText.describe('What an agent asked.'),
    answer: longText.nullable().describe('The answer to a question or a choice.'),
    content: formContent.nullable().describe('What was filled into a form.'),
    decision: inputDecision.nullable(),
    comment: longText.nullable().describe('A remark of the person who answered.'),
  })
  .meta({ id: 'AnsweredInput', description: 'A question of an agent with the answer of a person.' });

const reviewedTask = z
  .object({
    task_id: idOf('ID of the task.'),
    title: z.string().max(500).describe('Its title.'),
    summary: longText.nullable().describe('What its agent reported.'),
    result: z.record(z.string(), z.unknown()).nullable().describe('What its agent returned.'),
    artifacts: shownArtifacts.describe('What its agents attached, the newest 100.'),
  })
  .meta({ id: 'ReviewedTask', description: 'The work that a review task is about.' });

const handoff = z
  .object({
    from: idOf('The agent that handed the task over.'),
    summary: longText.describe('What that agent wrote.'),
  })
  .meta({ id: 'Handoff', description: 'What the agent wrote that handed the task over.' });

const claimContext = z
  .object({
    attempt: z.int().min(1).max(2_147_483_647).describe('Number of this claim of the task: 1, 2, 3 and so on.'),
    failures: count.describe('Number of attempts that reported a failure.'),
    lost_leases: count.describe('Number of attempts whose lease expired.'),
    checkpoint: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('What an earlier attempt saved with `saveCheckpoint`.'),
    handoff: handoff.nullable().describe('The last handoff of the task.'),
    artifacts: shownArtifacts.describe('What earlier attempts attached, the newest 100.'),
    answers: z.array(answeredInput).max(100).describe('Answers of people so far, the newest 100.'),
    contract: acceptance.nullable().describe('What you must deliver to complete the task. null: no requirements.'),
    parent: reviewedTask.nullable().describe('For a review task: the work to review.'),
    project: claimedProject.nullable().describe('The project of the task, with its repositories. null: none.'),
  })
  .meta({ id: 'ClaimContext', description: 'What earlier attempts left, and what is required.' });
export type ClaimContext = z.infer<typeof claimContext>;

/** `context` is left by an earlier attempt; `directives` are orders to the agent, repeated until acknowledged. */
export const claimResult = z
  .object({ task: taskResource, lease, context: claimContext, directives: directiveList })
  .meta({
    id: 'Claim',
    description: 'A task, the lease on it, and what the agent needs to know.',
    example: {
      task: { ...exampleTask, status: 'in_progress' },
      lease: exampleLease,
      context: {
        attempt: 1,
        failures: 0,
        lost_leases: 0,
        checkpoint: null,
        handoff: null,
        artifacts: [],
        answers: [],
        contract: { artifacts: ['pull_request'] },
        parent: null,
        project: null,
      },
      directives: [],
    },
  });
export type ClaimResult = z.infer<typeof claimResult>;

/** What every call under a lease returns; such a call renews the lease. */
export const leaseResult = z
  .object({
    expires_at: timestampOutput
      .nullable()
      .describe('When the lease ends unless you renew it. null: it waits for a person’s answer, or has ended.'),
    directives: directiveList,
  })
  .meta({
    id: 'LeaseState',
    description: 'The state of a lease after a call.',
    example: { expires_at: exampleExpiry, directives: [exampleDirective] },
  });
export type LeaseResult = z.infer<typeof leaseResult>;

export const heartbeatBody = z
  .strictObject({ fencing_token: fencingToken })
  .meta({ id: 'Heartbeat', description: 'Proof of the lease.', example: { fencing_token: 1 } });
export type HeartbeatBody = z.output<typeof heartbeatBody>;

export const resumeBody = z
  .strictObject({ fencing_token: fencingToken })
  .meta({ id: 'ResumeRequest', description: 'Proof of the lease.', example: { fencing_token: 1 } });
export type ResumeBody = z.output<typeof resumeBody>;

export const progressBody = z
  .strictObject({
    fencing_token: fencingToken,
    percent_complete: z.int().min(0).max(100).optional().describe('How much of the work is done.'),
    estimate_remaining: hours.optional().describe('Estimated time until completion, in hours.'),
    milestones: z
      .array(reportedMilestone)
      .max(100)
      .optional()
      .describe('All milestones. They replace the ones that you reported before.'),
    comment: requiredText(65_536).optional().describe('A comment for people.'),
  })
  .meta({
    id: 'ProgressReport',
    description: 'How far the work is. Fields that you leave out stay as they are.',
    example: {
      fencing_token: 1,
      percent_complete: 50,
      estimate_remaining: '1.5h',
      milestones: [
        { name: 'Counter per address', completed: true },
        { name: 'Tests', completed: false },
      ],
      comment: 'The counter works.',
    },
  });
export type ProgressBody = z.output<typeof progressBody>;

export const completeBody = z
  .strictObject({
    fencing_token: fencingToken,
    summary: z.string().max(65_536).optional().describe('What was done, for people.'),
    result: freeForm().optional().describe('Free-form JSON for programs. It must match `contract.result_schema`.'),
    artifacts: z.array(artifact).max(100).optional().describe('Artifacts to attach.'),
    scores: scores.optional(),
  })
  .meta({
    id: 'CompleteRequest',
    description: 'The outcome of the work.',
    example: {
      fencing_token: 1,
      summary: 'Five failed logins a minute for each address, then 429.',
      result: { limit_per_minute: 5 },
      artifacts: [exampleArtifact],
      scores: { code_quality: 90 },
    },
  });
export type CompleteBody = z.output<typeof completeBody>;

export const checkpointBody = z
  .strictObject({
    fencing_token: fencingToken,
    data: freeForm().describe('Free-form JSON for the next attempt. It replaces the last checkpoint.'),
  })
  .meta({
    id: 'Checkpoint',
    description: 'What the next attempt should know.',
    example: { fencing_token: 1, data: { branch: 'fix/login', done: ['counter'] } },
  });
export type CheckpointBody = z.output<typeof checkpointBody>;

export const artifactBody = z.strictObject({ fencing_token: fencingToken, ...artifact.shape }).meta({
  id: 'AttachArtifact',
  description: 'Something that you made.',
  example: { fencing_token: 1, ...exampleArtifact },
});
export type ArtifactBody = z.output<typeof artifactBody>;
export type NewArtifact = z.output<typeof artifact>;

const attachedArtifact = artifactDetail
  .extend({
    task_id: idOf('ID of the task.'),
    lease_id: idOf('ID of the lease under which it was attached.'),
    agent_id: idOf('ID of the agent that attached it.'),
  })
  .meta({
    id: 'AttachedArtifact',
    base: 'Artifact',
    description: 'An artifact with the task, lease and agent that it belongs to.',
  });

export const artifactResult = leaseResult.extend({ artifact: attachedArtifact }).meta({
  id: 'ArtifactAttached',
  base: 'LeaseState',
  description: 'The artifact, and the state of the lease.',
  example: {
    expires_at: exampleExpiry,
    directives: [],
    artifact: {
      id: exampleId('art'),
      ...exampleArtifact,
      created_at: exampleTime,
      task_id: exampleId('tsk'),
      lease_id: exampleId('lse'),
      agent_id: exampleId('agt'),
    },
  },
});
export type ArtifactResource = z.infer<typeof artifactResult>['artifact'];

export const acknowledgeBody = z
  .strictObject({
    fencing_token: fencingToken,
    directive_ids: z.array(idOutput).max(1_000).default([]).describe('IDs of the directives that you have handled.'),
    wait_seconds: z
      .int()
      .min(0)
      .max(50)
      .default(0)
      .describe(
        'Maximum number of seconds to wait for a directive if none is pending. The lease is renewed meanwhile.',
      ),
  })
  .meta({
    id: 'AcknowledgeRequest',
    description: 'The directives that you have handled, and how long to wait for others.',
    example: { fencing_token: 1, directive_ids: [exampleId('dir')] },
  });
export type AcknowledgeBody = z.output<typeof acknowledgeBody>;

const exampleReason = 'The test database does not start.';
const reason = requiredText(2_000).meta({ description: 'Why, for people.', example: exampleReason });
const seconds = z.int().min(0).max(86_400);

export const failBody = z
  .strictObject({
    fencing_token: fencingToken,
    reason,
    retryable: z.boolean().default(true).describe('Whether another attempt can help. false: the task fails now.'),
    retry_after_seconds: seconds
      .optional()
      .describe(
        'Number of seconds before the task can be claimed again. Default: 10, doubled after each failure, at most 600.',
      ),
  })
  .meta({
    id: 'FailRequest',
    description: 'Why the work failed.',
    example: { fencing_token: 1, reason: exampleReason, retryable: true, retry_after_seconds: 60 },
  });
export type FailBody = z.output<typeof failBody>;

export const releaseBody = z
  .strictObject({
    fencing_token: fencingToken,
    reason: reason.optional(),
    not_before_seconds: seconds
      .optional()
      .describe(
        'Number of seconds before any agent can claim the task. Default: other agents at once, this agent after 30.',
      ),
  })
  .meta({
    id: 'ReleaseRequest',
    description: 'Why you give the task back.',
    example: { fencing_token: 1, reason: 'The task needs access to production.' },
  });
export type ReleaseBody = z.output<typeof releaseBody>;

const named = (field: string) => ({
  properties: { [field]: { type: 'string', maxLength: 64, description: 'Who gets the task.' } },
  required: [field],
});

export const handoffBody = z
  .strictObject({
    fencing_token: fencingToken,
    to: z
      .strictObject({
        role: role.optional(),
        agent_id: requiredText(64)
          .optional()
          .meta({ description: 'The agent that gets the task.', example: exampleId('agt') }),
      })
      .refine(({ role: named, agent_id: agent }) => (named === undefined) !== (agent === undefined), {
        params: { constraint: 'required' },
        message: 'must name either a role or an agent',
      })
      .meta({
        id: 'HandoffTargetInput',
        description: 'Who gets the task: either a role or an agent.',
        oneOf: [named('role'), named('agent_id')],
        example: { role: 'qa' },
      }),
    summary: requiredText(65_536).describe('What the next agent should know.'),
  })
  .meta({
    id: 'HandoffRequest',
    description: 'Who gets the task, and what they should know.',
    example: {
      fencing_token: 1,
      to: { role: 'qa' },
      summary: 'The fix is on branch fix/login. It needs a test on Safari.',
    },
  });
export type HandoffBody = z.output<typeof handoffBody>;

export const messageBody = z.strictObject({ content: requiredText(65_536).describe('The message.') }).meta({
  id: 'SendMessage',
  description: 'A message to the agent that works on a task.',
  example: { content: 'Leave the API as it is.' },
});
export type MessageBody = z.output<typeof messageBody>;
