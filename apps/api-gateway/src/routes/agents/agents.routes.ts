import {
  agentDetail,
  agentList,
  agentListQuery,
  agentResource,
  changeAgentBody,
  createAgentBody,
  idOutput,
  listBody,
  ownAgent,
  ownLeases,
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
  listHeldLeases,
  ownAgentId,
  pauseAgent,
  resumeAgent,
} from '@eas/tasks';
import { z } from 'zod';
import { removeAgent } from '../../operations/remove-agent.ts';

const tags = ['Agents'] as const;
const params = z.object({ agent_id: idOutput });
const readOnly = [
  'id',
  'status',
  'active_tasks',
  'accepting',
  'presence',
  'created_at',
  'last_active',
  'current_tasks',
  'current_tasks_truncated',
  'stats',
] as const;
const readAccess = { scope: ['agents:read', 'agent:self'] } as const;

const steer = { method: 'POST', tags, access: { scope: 'agents:write' }, params, errors: ['not_found'] } as const;
const steered = { 200: { description: 'The agent.', schema: agentDetail } };

export const agentRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/agents',
    operationId: 'createAgent',
    summary: 'Create an agent',
    description: [
      'Registers an agent with a role. Use it once for each agent that is to work on tasks, then create a key for it with `createAgentKey`.',
      'The agent can claim tasks at once. Waiting tasks of its role are planned for it.',
    ],
    tags,
    access: { scope: 'agents:write' },
    body: createAgentBody,
    readOnly,
    responses: {
      201: {
        description: 'The created agent.',
        schema: agentResource,
        headers: { Location: 'Path of the created resource.' },
      },
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
    description: [
      'Returns a page of agents with their roles, status and presence. Use it to see who is there and who has capacity.',
    ],
    tags,
    access: { scope: 'agents:read' },
    query: agentListQuery,
    responses: { 200: { description: 'A page of agents, newest first by default.', schema: agentList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort, ...filter } }) => {
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listBody(page, await listAgents(ctx, filter, page)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/agents/me',
    operationId: 'getOwnAgent',
    summary: 'Get your own agent',
    description: [
      'Returns the agent that the API key belongs to, with the leases that it holds. Use it when an agent knows only its key, for example after a crash.',
      'With a key that does not belong to an agent the response is 404.',
    ],
    tags,
    access: readAccess,
    isVersioned: true,
    responses: { 200: { description: 'The agent.', schema: ownAgent } },
    errors: ['not_found'],
    handler: async (ctx) => {
      const agentId = ownAgentId(ctx);
      const { body, version } = await getAgent(ctx, agentId);
      return { status: 200, body: { ...body, ...(await listHeldLeases(ctx, agentId)) }, version };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/agents/me/leases',
    operationId: 'listOwnLeases',
    summary: 'List your own leases',
    description: [
      'Returns the live leases of the agent that the API key belongs to, with their fencing tokens. Use it after a crash: continue with `resumeLease`, or give the tasks back with `releaseLease`.',
      'With a key that does not belong to an agent the response is 404.',
    ],
    tags: ['Agent protocol'],
    access: { scope: 'agent:self' },
    responses: { 200: { description: 'The leases.', schema: ownLeases } },
    errors: ['not_found'],
    handler: async (ctx) => ({ status: 200, body: await listHeldLeases(ctx, ownAgentId(ctx)) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/agents/{agent_id}',
    operationId: 'getAgent',
    summary: 'Get an agent',
    description: [
      'Returns an agent with its current tasks and statistics. An agent key can read only its own agent.',
      'The `ETag` of the response is the version of the agent: send it as `If-Match` when you change the agent.',
    ],
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
    description: [
      'Changes fields of an agent with a JSON merge patch. Use it to rename an agent or to change its capabilities or its maximum number of tasks.',
      'The role can be changed only while the agent has no tasks. Tasks that the agent holds stay with it.',
    ],
    tags,
    access: { scope: 'agents:write' },
    params,
    body: changeAgentBody,
    readOnly,
    isVersioned: true,
    responses: { 200: { description: 'The agent.', schema: agentDetail } },
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
    description: [
      'Deletes an agent. Use it when the agent will not come back; to stop it for a while, use `pauseAgent` or `drainAgent`.',
      'Its tasks become open for other agents, its leases end, and its API keys are revoked.',
    ],
    tags,
    access: { scope: 'agents:write' },
    params,
    isVersioned: true,
    responses: { 204: { description: 'Done. The response has no body.' } },
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
    description: [
      'Stops an agent from claiming tasks until it is resumed. Use it for a short break.',
      'The agent keeps the tasks that it holds and those that are planned for it.',
    ],
    responses: steered,
    handler: async (ctx, { params }) => ({ status: 200, ...(await pauseAgent(ctx, params.agent_id)) }),
  }),
  defineRoute({
    ...steer,
    path: '/v1/agents/{agent_id}/resume',
    operationId: 'resumeAgent',
    summary: 'Resume an agent',
    description: ['Lets a paused or drained agent claim tasks again.', 'Waiting tasks of its role are planned for it.'],
    responses: steered,
    handler: async (ctx, { params }) => ({ status: 200, ...(await resumeAgent(ctx, params.agent_id)) }),
  }),
  defineRoute({
    ...steer,
    path: '/v1/agents/{agent_id}/drain',
    operationId: 'drainAgent',
    summary: 'Drain an agent',
    description: [
      'Stops an agent from claiming tasks and gives the tasks that are planned for it to other agents. Use it before you shut an agent down.',
      'The agent can finish the tasks that it holds.',
    ],
    responses: steered,
    handler: async (ctx, { params }) => ({ status: 200, ...(await drainAgent(ctx, params.agent_id)) }),
  }),
];
