import {
  agentDetail,
  agentList,
  agentListQuery,
  agentResource,
  changeAgentBody,
  createAgentBody,
  idOutput,
  listAnswer,
  pageOf,
} from '@eas/contracts';
import { defineRoute } from '@eas/http';
import {
  assertSeesAgent,
  changeAgent,
  createAgent,
  drainAgent,
  getAgent,
  listAgents,
  ownAgentId,
  pauseAgent,
  resumeAgent,
} from '@eas/tasks';
import { z } from 'zod';
import { removeAgent } from '../operations/remove-agent.ts';

const tags = ['Agents'] as const;
const params = z.object({ agent_id: idOutput });
const readOnly = [
  'id',
  'status',
  'accepting',
  'presence',
  'created_at',
  'last_active',
  'current_tasks',
  'current_tasks_truncated',
  'stats',
] as const;
/** An agent may read itself. */
const readAccess = { scope: ['agents:read', 'agent:self'] } as const;

const steer = { method: 'POST', tags, access: { scope: 'agents:write' }, params, errors: ['not_found'] } as const;
const steered = { 200: { description: 'The agent as GET shows it.', schema: agentDetail } };

export const agentRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/agents',
    operationId: 'createAgent',
    summary: 'Create an agent',
    tags,
    access: { scope: 'agents:write' },
    body: createAgentBody,
    readOnly,
    responses: {
      201: { description: 'The agent.', schema: agentResource, headers: { Location: 'Where the agent is read.' } },
    },
    errors: ['invalid_request', 'invalid_input'],
    handler: async (ctx, { body }) => {
      const agent = await createAgent(ctx, body);
      return { status: 201, body: agent, version: 1, headers: { Location: `/v1/agents/${agent.id}` } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/agents',
    operationId: 'listAgents',
    summary: 'List agents',
    tags,
    access: { scope: 'agents:read' },
    query: agentListQuery,
    responses: { 200: { description: 'A page of agents, newest first by default.', schema: agentList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort, ...filter } }) => {
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listAnswer(page, await listAgents(ctx, filter, page)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/agents/me',
    operationId: 'getOwnAgent',
    summary: 'Get your own agent',
    tags,
    access: readAccess,
    isVersioned: true,
    responses: { 200: { description: 'The agent.', schema: agentDetail } },
    errors: ['not_found'],
    handler: async (ctx) => ({ status: 200, ...(await getAgent(ctx, ownAgentId(ctx))) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/agents/{agent_id}',
    operationId: 'getAgent',
    summary: 'Get an agent',
    tags,
    access: readAccess,
    params,
    isVersioned: true,
    responses: { 200: { description: 'The agent.', schema: agentDetail } },
    errors: ['not_found'],
    handler: async (ctx, { params: { agent_id: agentId }, principal: { scopes } }) => {
      assertSeesAgent(ctx, { agentId, scopes });
      return { status: 200, ...(await getAgent(ctx, agentId)) };
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/agents/{agent_id}',
    operationId: 'changeAgent',
    summary: 'Change an agent',
    tags,
    access: { scope: 'agents:write' },
    params,
    body: changeAgentBody,
    readOnly,
    isVersioned: true,
    responses: { 200: { description: 'The agent as GET shows it.', schema: agentDetail } },
    errors: ['invalid_input', 'not_found', 'conflict'],
    handler: async (ctx, { params: { agent_id: agentId }, body, ifMatch }) => ({
      status: 200,
      ...(await changeAgent(ctx, { agentId, ifMatch, body })),
    }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/agents/{agent_id}',
    operationId: 'deleteAgent',
    summary: 'Delete an agent',
    tags,
    access: { scope: 'agents:write' },
    params,
    isVersioned: true,
    responses: { 204: { description: 'The agent is gone.' } },
    errors: ['not_found'],
    handler: async (ctx, { params: { agent_id: agentId }, ifMatch }) => {
      await removeAgent(ctx, { agentId, ifMatch });
      return { status: 204 };
    },
  }),
  defineRoute({
    ...steer,
    path: '/v1/agents/{agent_id}/pause',
    operationId: 'pauseAgent',
    summary: 'Pause an agent',
    responses: steered,
    handler: async (ctx, { params }) => ({ status: 200, ...(await pauseAgent(ctx, params.agent_id)) }),
  }),
  defineRoute({
    ...steer,
    path: '/v1/agents/{agent_id}/resume',
    operationId: 'resumeAgent',
    summary: 'Resume an agent',
    responses: steered,
    handler: async (ctx, { params }) => ({ status: 200, ...(await resumeAgent(ctx, params.agent_id)) }),
  }),
  defineRoute({
    ...steer,
    path: '/v1/agents/{agent_id}/drain',
    operationId: 'drainAgent',
    summary: 'Drain an agent',
    responses: steered,
    handler: async (ctx, { params }) => ({ status: 200, ...(await drainAgent(ctx, params.agent_id)) }),
  }),
];
