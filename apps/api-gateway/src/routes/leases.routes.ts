import {
  claimBody,
  claimResult,
  completeBody,
  heartbeatBody,
  idOutput,
  leaseResult,
  progressBody,
} from '@eas/contracts';
import { defineRoute } from '@eas/http';
import { completeTask, heartbeatLease, releaseClaim, reportProgress, waitForClaim, type WaitingRoom } from '@eas/tasks';
import { z } from 'zod';

/** What every call under a lease has in common. The fencing token makes it safe to repeat, so it needs no key. */
const leaseCall = {
  method: 'POST',
  tags: ['Agent protocol'],
  access: { scope: ['agent:self', 'admin'] },
  params: z.object({ lease_id: idOutput }),
  responses: { 200: { description: 'Done; the lease now runs until expires_at.', schema: leaseResult } },
  errors: ['invalid_request', 'invalid_input', 'not_found', 'conflict'],
  bucket: 'agent',
  isIdempotent: false,
} as const;

export const leaseRoutes = (room: WaitingRoom, leaseSeconds: number) => [
  defineRoute({
    method: 'POST',
    path: '/v1/agents/{agent_id}/claims',
    summary: 'Claim the next task for an agent, waiting for one if asked to',
    tags: ['Agent protocol'],
    access: { scope: ['agent:self', 'admin'] },
    params: z.object({ agent_id: idOutput }),
    body: claimBody,
    responses: {
      200: { description: 'A task and the lease under which the agent works on it.', schema: claimResult },
      204: { description: 'No task came.' },
    },
    errors: ['invalid_request', 'invalid_input', 'not_found', 'conflict'],
    bucket: 'agent',
    isIdempotent: false,
    handler: async (ctx, { params, body }) => {
      const waitMs = body.wait_seconds * 1_000;
      const claimed = await waitForClaim(ctx, room, { agentId: params.agent_id, leaseSeconds, waitMs });
      if (!claimed) return { status: 204 };
      const { lease_id: leaseId, fencing_token: fencingToken } = claimed.lease;
      return { status: 200, body: claimed, onUnsent: () => releaseClaim(ctx, { leaseId, fencingToken }) };
    },
  }),
  defineRoute({
    ...leaseCall,
    path: '/v1/leases/{lease_id}/heartbeat',
    summary: 'Renew a lease',
    body: heartbeatBody,
    handler: async (ctx, { params, body }) => ({
      status: 200,
      body: await heartbeatLease(ctx, { leaseId: params.lease_id, leaseSeconds, body }),
    }),
  }),
  defineRoute({
    ...leaseCall,
    path: '/v1/leases/{lease_id}/progress',
    summary: 'Report progress, milestones or a comment',
    body: progressBody,
    handler: async (ctx, { params, body }) => ({
      status: 200,
      body: await reportProgress(ctx, { leaseId: params.lease_id, leaseSeconds, body }),
    }),
  }),
  defineRoute({
    ...leaseCall,
    path: '/v1/leases/{lease_id}/complete',
    summary: 'Complete the task of a lease',
    body: completeBody,
    handler: async (ctx, { params, body }) => ({
      status: 200,
      body: await completeTask(ctx, { leaseId: params.lease_id, body }),
    }),
  }),
];
