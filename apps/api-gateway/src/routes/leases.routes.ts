import {
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
  progressBody,
  releaseBody,
} from '@eas/contracts';
import { defineRoute } from '@eas/http';
import {
  acknowledgeDirectives,
  attachArtifact,
  completeTask,
  failTask,
  giveBack,
  handOverTask,
  heartbeatLease,
  leaveCheckpoint,
  releaseTask,
  reportProgress,
  waitForClaim,
  type WaitingRoom,
} from '@eas/tasks';
import { z } from 'zod';

const agentProtocol = {
  method: 'POST',
  tags: ['Agent protocol'],
  access: { scope: ['agent:self', 'admin'] },
  errors: ['invalid_request', 'invalid_input', 'not_found', 'conflict'],
  bucket: 'agent',
} as const;

const renewed = { 200: { description: 'Done; the lease now runs until expires_at.', schema: leaseResult } } as const;
const ended = { 200: { description: 'Done; the lease has ended.', schema: leaseResult } } as const;

/** What every call under a lease has in common. The fencing token makes it safe to repeat, so it needs no key. */
const leaseCall = { ...agentProtocol, params: z.object({ lease_id: idOutput }), isIdempotent: false } as const;

const claimRoute = (room: WaitingRoom, leaseSeconds: number) =>
  defineRoute({
    ...agentProtocol,
    path: '/v1/agents/{agent_id}/claims',
    operationId: 'claimTask',
    summary: 'Claim a task',
    params: z.object({ agent_id: idOutput }),
    body: claimBody,
    responses: {
      200: { description: 'A task and the lease under which the agent works on it.', schema: claimResult },
      204: { description: 'No task came.' },
    },
    isIdempotent: 'by_handler',
    handler: async (ctx, { params: { agent_id: agentId }, body, idempotencyKey: claimKey }) => {
      const waitMs = body.wait_seconds * 1_000;
      const claim = await waitForClaim(ctx, room, { agentId, leaseSeconds, waitMs, claimKey });
      if (!claim) return { status: 204 };
      const headers = claim.isReplayed ? { 'Idempotent-Replayed': 'true' } : undefined;
      return { status: 200, body: claim.body, headers, onUnsent: () => giveBack(ctx, claim) };
    },
  });

/** Calls of an agent at work. */
const workRoutes = (leaseSeconds: number) => [
  defineRoute({
    ...leaseCall,
    path: '/v1/leases/{lease_id}/heartbeat',
    operationId: 'renewLease',
    summary: 'Renew a lease',
    body: heartbeatBody,
    responses: renewed,
    handler: async (ctx, { params: { lease_id: leaseId }, body }) => ({
      status: 200,
      body: await heartbeatLease(ctx, { leaseId, leaseSeconds, body }),
    }),
  }),
  defineRoute({
    ...leaseCall,
    path: '/v1/leases/{lease_id}/progress',
    operationId: 'reportProgress',
    summary: 'Report progress',
    body: progressBody,
    responses: renewed,
    handler: async (ctx, { params: { lease_id: leaseId }, body }) => ({
      status: 200,
      body: await reportProgress(ctx, { leaseId, leaseSeconds, body }),
    }),
  }),
  defineRoute({
    ...leaseCall,
    path: '/v1/leases/{lease_id}/checkpoint',
    operationId: 'saveCheckpoint',
    summary: 'Save a checkpoint',
    body: checkpointBody,
    responses: renewed,
    handler: async (ctx, { params: { lease_id: leaseId }, body }) => ({
      status: 200,
      body: await leaveCheckpoint(ctx, { leaseId, leaseSeconds, body }),
    }),
  }),
  defineRoute({
    ...leaseCall,
    path: '/v1/leases/{lease_id}/artifacts',
    operationId: 'attachArtifact',
    summary: 'Attach an artifact',
    body: artifactBody,
    responses: { 200: { description: 'The artifact; the lease now runs until expires_at.', schema: artifactResult } },
    handler: async (ctx, { params: { lease_id: leaseId }, body }) => ({
      status: 200,
      body: await attachArtifact(ctx, { leaseId, leaseSeconds, body }),
    }),
  }),
  defineRoute({
    ...leaseCall,
    path: '/v1/leases/{lease_id}/acknowledge',
    operationId: 'acknowledgeDirectives',
    summary: 'Acknowledge directives',
    body: acknowledgeBody,
    responses: renewed,
    handler: async (ctx, { params: { lease_id: leaseId }, body }) => ({
      status: 200,
      body: await acknowledgeDirectives(ctx, { leaseId, leaseSeconds, body }),
    }),
  }),
];

/** Calls with which an agent ends its work. */
const endRoutes = (leaseSeconds: number) => [
  defineRoute({
    ...leaseCall,
    path: '/v1/leases/{lease_id}/complete',
    operationId: 'completeLease',
    summary: 'Complete the task',
    body: completeBody,
    responses: ended,
    handler: async (ctx, { params: { lease_id: leaseId }, body }) => ({
      status: 200,
      body: await completeTask(ctx, { leaseId, leaseSeconds, body }),
    }),
  }),
  defineRoute({
    ...leaseCall,
    path: '/v1/leases/{lease_id}/fail',
    operationId: 'failLease',
    summary: 'Report a failure',
    body: failBody,
    responses: ended,
    handler: async (ctx, { params: { lease_id: leaseId }, body }) => ({
      status: 200,
      body: await failTask(ctx, { leaseId, leaseSeconds, body }),
    }),
  }),
  defineRoute({
    ...leaseCall,
    path: '/v1/leases/{lease_id}/release',
    operationId: 'releaseLease',
    summary: 'Release a task',
    body: releaseBody,
    responses: ended,
    handler: async (ctx, { params: { lease_id: leaseId }, body }) => ({
      status: 200,
      body: await releaseTask(ctx, { leaseId, leaseSeconds, body }),
    }),
  }),
  defineRoute({
    ...leaseCall,
    path: '/v1/leases/{lease_id}/handoff',
    operationId: 'handOffLease',
    summary: 'Hand off a task',
    body: handoffBody,
    responses: ended,
    handler: async (ctx, { params: { lease_id: leaseId }, body }) => ({
      status: 200,
      body: await handOverTask(ctx, { leaseId, leaseSeconds, body }),
    }),
  }),
];

export const leaseRoutes = (room: WaitingRoom, leaseSeconds: number) => [
  claimRoute(room, leaseSeconds),
  ...workRoutes(leaseSeconds),
  ...endRoutes(leaseSeconds),
];
