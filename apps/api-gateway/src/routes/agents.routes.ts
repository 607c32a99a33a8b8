import {
  agentDetail,
  agentResource,
  agentStatuses,
  createAgentBody,
  idOutput,
  listAnswer,
  listQuery,
  listResponse,
  pageOf,
  timestampInput,
} from '@eas/contracts';
import { defineRoute } from '@eas/http';
import { createAgent, getAgent, listAgents } from '@eas/tasks';
import { z } from 'zod';

const tags = ['Agents'] as const;

export const agentRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/agents',
    summary: 'Register an agent',
    tags,
    access: { scope: 'agents:write' },
    body: createAgentBody,
    readOnly: ['id', 'status', 'created_at', 'last_active', 'current_tasks', 'stats'],
    responses: {
      201: { description: 'The agent.', schema: agentResource, headers: { Location: 'Where the agent is read.' } },
    },
    errors: ['invalid_request', 'invalid_input'],
    handler: async (ctx, { body }) => {
      const agent = await createAgent(ctx, body);
      return { status: 201, body: agent, headers: { Location: `/v1/agents/${agent.id}` } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/agents',
    summary: 'List agents',
    tags,
    access: { scope: 'agents:read' },
    query: listQuery({
      sortable: ['created_at', 'id', 'name', 'role', 'status', 'last_active'],
      filters: {
        id: z.string().max(500),
        role: z.string().max(500).optional(),
        status: z.enum(agentStatuses).optional(),
        name: z.string().max(500).optional(),
        created_at: timestampInput,
        last_active: timestampInput,
      },
    }),
    responses: {
      200: { description: 'A page of agents, newest first by default.', schema: listResponse(agentResource) },
    },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort, ...filter } }) => {
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listAnswer(page, await listAgents(ctx, filter, page)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/agents/{agent_id}',
    summary: 'Read one agent with its current tasks and stats',
    tags,
    access: { scope: 'agents:read' },
    params: z.object({ agent_id: idOutput }),
    responses: { 200: { description: 'The agent.', schema: agentDetail } },
    errors: ['not_found'],
    handler: async (ctx, { params }) => ({ status: 200, body: await getAgent(ctx, params.agent_id) }),
  }),
];
