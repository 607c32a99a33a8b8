import { z } from 'zod';
import { freeForm, hours, idOutput, requiredText, timestampOutput } from './fields.ts';
import { milestone, taskResource } from './tasks.ts';

/** Proves that the caller still holds the lease: grows at every claim, expiry, release and cancel of the task. */
const fencingToken = z.int().min(1).max(2_147_483_647);

export const lease = z.object({ lease_id: idOutput, fencing_token: fencingToken, expires_at: timestampOutput });
export type Lease = z.infer<typeof lease>;

export const claimBody = z.strictObject({ wait_seconds: z.int().min(0).max(30).default(0) });

/** `context` is what an earlier attempt left; `directives` are orders to the agent, handed over until acknowledged. */
export const claimResult = z.object({
  task: taskResource,
  lease,
  context: z.record(z.string(), z.unknown()),
  directives: z.array(z.record(z.string(), z.unknown())).max(1_000),
});
export type ClaimResult = z.infer<typeof claimResult>;

/** What every call under a lease answers; such a call renews the lease. */
export const leaseResult = z.object({
  expires_at: timestampOutput.nullable(),
  directives: z.array(z.record(z.string(), z.unknown())).max(1_000),
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

const score = z.int().min(0).max(100);

export const artifactKinds = ['pull_request', 'commit', 'branch', 'file', 'test_report', 'link'] as const;
const artifact = z.strictObject({
  kind: z.enum(artifactKinds).describe('What was made.'),
  title: z.string().max(500).optional(),
  url: z.string().max(2_048).optional(),
  sha: z.string().max(128).optional(),
  data: freeForm().optional(),
});

export const completeBody = z.strictObject({
  fencing_token: fencingToken,
  summary: z.string().max(65_536).optional(),
  result: freeForm().optional(),
  artifacts: z.array(artifact).max(100).optional(),
  scores: z.strictObject({ code_quality: score.optional(), requirements_clarity: score.optional() }).optional(),
});
export type CompleteBody = z.output<typeof completeBody>;
