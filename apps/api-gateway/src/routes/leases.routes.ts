import {
  type AcknowledgeBody,
  acknowledgeBody,
  artifactBody,
  artifactResult,
  checkpointBody,
  claimBody,
  claimResult,
  completeBody,
  failBody,
  handoffBody,
  heartbeatBody,
  idOutput,
  leaseResult,
  modelCallDecision,
  modelCallResult,
  progressBody,
  releaseBody,
  reportModelCallBody,
  resumeBody,
  sessionEntriesBody,
  sessionEntriesResult,
  startModelCallBody,
} from '@eas/contracts';
import type { ChangeWaits, UseCaseContext } from '@eas/db';
import { defineRoute, type Route } from '@eas/http';
import {
  appendEntries,
  attachArtifact,
  awaitDirectives,
  checkResult,
  completeTask,
  failTask,
  giveBack,
  handOffTask,
  heartbeatLease,
  type LeaseCall,
  leaveCheckpoint,
  releaseTask,
  reportModelCall,
  reportProgress,
  resumeLease,
  startModelCall,
  waitForClaim,
  type WaitingClaims,
} from '@eas/tasks';
import { z } from 'zod';

const agentProtocol = {
  method: 'POST',
  tags: ['Agent protocol'],
  access: { scope: ['agent:self', 'admin'] },
  errors: ['invalid_request', 'invalid_input', 'not_found', 'conflict'],
  bucket: 'agent',
} as const;

const renewed = { 200: { description: 'The lease is renewed until `expires_at`.', schema: leaseResult } } as const;
const endedExample = { expires_at: null, directives: [] };
const ended = { 200: { description: 'The lease has ended.', schema: leaseResult, example: endedExample } } as const;

/** What every call under a lease has in common. */
export const leaseCall = { ...agentProtocol, params: z.object({ lease_id: idOutput }) } as const;

type Text = { operationId: string; summary: string; description: readonly string[] };
type LeaseRoute<Body extends z.ZodType, Result extends z.ZodType> = Text & {
  body: Body;
  prepare?: (ctx: UseCaseContext, call: LeaseCall<z.output<Body>>) => Promise<unknown>;
  responses: { 200: { description: string; schema: Result } };
  canWait?: boolean;
};

export const leaseRoute = <Body extends z.ZodType, Result extends z.ZodType>(
  name: string,
  act: (ctx: UseCaseContext, call: LeaseCall<z.output<Body>>) => Promise<z.input<Result>>,
  { prepare, ...definition }: LeaseRoute<Body, Result>,
): Route =>
  defineRoute({
    ...leaseCall,
    ...definition,
    path: `/v1/leases/{lease_id}/${name}`,
    prepare: async (ctx, { params: { lease_id: leaseId }, body }) => {
      await prepare?.(ctx, { leaseId, body: body as z.output<Body> });
    },
    handler: async (ctx, { params: { lease_id: leaseId }, body }) => ({
      status: 200,
      // `act` returns what the schema describes; TypeScript does not follow that through defineRoute.
      body: (await act(ctx, { leaseId, body: body as z.output<Body> })) as never,
    }),
  });

const claimRoute = (waitingClaims: WaitingClaims) =>
  defineRoute({
    ...agentProtocol,
    path: '/v1/agents/{agent_id}/claims',
    operationId: 'claimTask',
    summary: 'Claim a task',
    description: [
      'Gives the agent the next task that it can work on, with a lease. An agent calls this whenever it is free; with `wait_seconds` the request waits for a task.',
      'If the agent already holds its maximum number of tasks, the request waits in the same way for one of its leases to end. If none does, the response is 409 with the constraint `limit`, and `error.leases` names the leases.',
      'With `projects` only tasks of these projects are claimed. Use it for a machine that has only some repositories. Plans do not regard it: a task of another project waits for another claim of the role, although the agent may be its `assigned_agent`.',
      'The task becomes `in_progress` and belongs to the agent until the lease ends. Renew the lease with any call under it before `expires_at`, and end it with `completeLease`, `failLease`, `releaseLease` or `handOffLease`. A lease that expires gives the task to another agent.',
      'Sends the event `task.started`. With an `Idempotency-Key`, a repeated request returns the same claim.',
    ],
    params: z.object({ agent_id: idOutput }),
    body: claimBody,
    responses: {
      200: { description: 'The claimed task and its lease.', schema: claimResult },
      204: { description: 'No task is available.' },
    },
    isIdempotent: 'by_handler',
    canWait: true,
    handler: async (ctx, { params: { agent_id: agentId }, body, idempotencyKey: claimKey }) => {
      const waitMs = body.wait_seconds * 1_000;
      const { projects, lease_seconds: leaseSeconds } = body;
      const claim = await waitForClaim(ctx, waitingClaims, { agentId, waitMs, claimKey, projects, leaseSeconds });
      if (!claim) return { status: 204 };
      const headers = claim.isReplayed ? { 'Idempotent-Replayed': 'true' } : undefined;
      return { status: 200, body: claim.body, headers, onUnsent: () => giveBack(ctx, claim) };
    },
  });

const resumeRoute = leaseRoute('resume', resumeLease, {
  operationId: 'resumeLease',
  summary: 'Resume a lease',
  description: [
    'Gives the agent a lease again that it holds, with everything that a claim returns. Use it after a crash, with a lease from `listOwnLeases`.',
    'The lease gets a new `fencing_token` and is renewed. A process that still has the old token, because it only hung, gets 409 `lease_lost` with its next call: two processes never work on one task without noticing. A lease that waits for a person is resumed after the answer.',
  ],
  body: resumeBody,
  responses: { 200: { description: 'The task and its lease.', schema: claimResult } },
});

const acknowledgeRoute = (waits: ChangeWaits) =>
  leaseRoute('acknowledge', (ctx, call: LeaseCall<AcknowledgeBody>) => awaitDirectives(ctx, waits, call), {
    operationId: 'acknowledgeDirectives',
    summary: 'Acknowledge directives',
    description: [
      'Confirms that you have handled directives: they are not returned again. Without ids it only renews the lease and returns the directives that wait.',
      'With `wait_seconds` the request waits for a directive if none is pending, for example for the answer to a question, and renews the lease meanwhile.',
      'An agent that has lost the lease can still acknowledge.',
    ],
    body: acknowledgeBody,
    responses: renewed,
    canWait: true,
  });

const workRoutes = [
  leaseRoute('heartbeat', heartbeatLease, {
    operationId: 'renewLease',
    summary: 'Renew a lease',
    description: [
      'Renews the lease and returns the directives of the agent. Call it regularly while you work and have nothing else to report.',
      'If the response is 409 with the constraint `lease_lost`, another agent can have the task: stop, and claim again.',
    ],
    body: heartbeatBody,
    responses: renewed,
  }),
  leaseRoute('progress', reportProgress, {
    operationId: 'reportProgress',
    summary: 'Report progress',
    description: [
      'Records how far the work is: percentage, estimate, milestones, a comment. Use it so that people can see what is going on; a task without any sign of progress counts as stalled.',
      'The lease is renewed. The report appears in the task and in its timeline.',
    ],
    body: progressBody,
    responses: renewed,
  }),
  leaseRoute('checkpoint', leaveCheckpoint, {
    operationId: 'saveCheckpoint',
    summary: 'Save a checkpoint',
    description: [
      'Saves data for the next attempt at the task. Use it at points from which another attempt could continue.',
      'The lease is renewed. If this attempt does not finish, the next claim has the data as `context.checkpoint`.',
    ],
    body: checkpointBody,
    responses: renewed,
  }),
  leaseRoute('session/entries', appendEntries, {
    operationId: 'addSessionEntries',
    summary: 'Add to the session of the task',
    description: [
      'Adds what you said and did to the session of the task, so that people can watch you work: texts, tool calls, plans, usage. Use it for a coding agent; for milestones and comments use `reportProgress`.',
      'The lease is renewed. Number the entries of a lease from 1 on, and send them in order. A call that is repeated adds nothing. Entries that do not follow the last one get 409 with the constraint `state`, and those that would take the entries of the lease over 63 MiB get 409 with the constraint `limit`. Another MiB is reserved for calls with notices, questions, permissions and stops alone.',
      'Sends no event. Leave out secrets: everyone who can read the task can read its session.',
    ],
    body: sessionEntriesBody,
    responses: {
      200: {
        description: 'The entries are part of the session. The lease is renewed until `expires_at`.',
        schema: sessionEntriesResult,
      },
    },
  }),
  leaseRoute('model-calls', startModelCall, {
    operationId: 'startModelCall',
    summary: 'Start a call to a model',
    description: [
      'Asks all budgets that concern the task whether a call to a model may begin, and reserves what it may use at most. Call it before each call to a model, and `reportModelCall` when it has ended.',
      'If `allowed` is false, make no call: ask again after `wait_ms`, or show `reason` to the agent. The lease is renewed.',
      'If the usage is not reported within 10 minutes, the call counts as it was estimated until it is. A repeated request with the same `call_id` is allowed and reserves nothing more.',
    ],
    body: startModelCallBody,
    responses: {
      200: {
        description: 'Whether the call may begin. The lease is renewed until `expires_at`.',
        schema: modelCallDecision,
      },
    },
  }),
  leaseRoute('model-calls/usage', reportModelCall, {
    operationId: 'reportModelCall',
    summary: 'Report a call to a model',
    description: [
      'Records what a call to a model has used: its tokens, and its cost by the price table. It counts in all budgets that concern the task, and in analytics. Report a call that failed with 0 tokens.',
      'A call with the source `proxy` must have been started. Usage that comes after the lease was lost counts too. A repeated request changes nothing.',
      'Sends the events `budget.warning` and `budget.exhausted` when a budget is nearly or wholly used up.',
    ],
    body: reportModelCallBody,
    responses: {
      200: { description: 'What it cost. The lease is renewed until `expires_at`.', schema: modelCallResult },
    },
  }),
  leaseRoute('artifacts', attachArtifact, {
    operationId: 'attachArtifact',
    summary: 'Attach an artifact',
    description: [
      'Attaches something that you made to the task: a pull request, a commit, a branch, a diff, a file, a test report or a link.',
      'The lease is renewed. The artifact stays with the task, and counts towards its completion requirements.',
    ],
    body: artifactBody,
    responses: {
      200: { description: 'The artifact. The lease is renewed until `expires_at`.', schema: artifactResult },
    },
  }),
];

const endRoutes = [
  leaseRoute('complete', completeTask, {
    operationId: 'completeLease',
    summary: 'Complete the task',
    description: [
      'Completes the task and ends the lease. Call it once, when the work is done.',
      'The task becomes `completed`, or `in_review` if its contract requires a review. If the contract is not met, the response is 409 with the constraint `contract`, names what is missing, and the lease stays.',
      'A lease that has expired can still be completed while no other agent has claimed the task: the task goes through `in_progress` again. Afterwards the result is kept in the timeline alone, and the response is 409 `lease_lost`.',
      'Sends the event `task.completed`, or `task.updated` for a review. A repeated request with the same body returns 200.',
    ],
    body: completeBody,
    responses: ended,
    prepare: (ctx, { leaseId, body }) => checkResult(ctx, leaseId, body.result),
  }),
  leaseRoute('fail', failTask, {
    operationId: 'failLease',
    summary: 'Report a failure',
    description: [
      'Reports that the work failed and ends the lease. Use it when you cannot finish the task.',
      'A retryable failure makes the task `open` again after a delay. After three failures, or with `retryable` false, the task becomes `failed`.',
      'Sends the event `task.updated` or `task.failed`.',
    ],
    body: failBody,
    responses: ended,
  }),
  leaseRoute('release', releaseTask, {
    operationId: 'releaseLease',
    summary: 'Release a task',
    description: [
      'Gives the task back without finishing it and ends the lease. Use it when you should not work on the task, for example before you shut down.',
      'The task becomes `open` for other agents. This does not count as a failure. Sends the event `task.updated`.',
    ],
    body: releaseBody,
    responses: ended,
  }),
  leaseRoute('handoff', handOffTask, {
    operationId: 'handOffLease',
    summary: 'Hand off a task',
    description: [
      'Gives the task to another role or to one agent and ends the lease. Use it when someone else must continue the work.',
      'The task becomes `open` for that role or agent, whose claim has your summary as `context.handoff`. This does not count as a failure. Sends the event `task.updated`.',
    ],
    body: handoffBody,
    responses: ended,
  }),
];

export const leaseRoutes = (waitingClaims: WaitingClaims, waits: ChangeWaits): Route[] => [
  claimRoute(waitingClaims),
  resumeRoute,
  ...workRoutes,
  acknowledgeRoute(waits),
  ...endRoutes,
];
