import {
  idOutput,
  listBody,
  pageOf,
  registerRunnerBody,
  runnerHeartbeatBody,
  runnerList,
  runnerListQuery,
  runnerOrders,
  runnerResource,
} from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { drainRunner, getRunner, sendRunnerHeartbeat, listRunners, registerRunner, removeRunner } from '@eas/tasks';
import { z } from 'zod';

const tags = ['Runners'] as const;
const params = z.object({ runner_id: idOutput });
const readOnly = ['id', 'running', 'presence', 'draining', 'created_at', 'last_seen_at'] as const;
/** The same as for claims: a runner needs no other key. */
const ofRunners = { method: 'POST', tags, access: { scope: ['agent:self', 'admin'] }, bucket: 'agent' } as const;

const runnersOwn: Route[] = [
  defineRoute({
    ...ofRunners,
    path: '/v1/runners',
    operationId: 'registerRunner',
    summary: 'Register a runner',
    description: [
      'Says that a process works for an agent, so that people see where agents run. A runner calls this when it starts, and again when `sendRunnerHeartbeat` responds with 404. It can claim tasks without it.',
      'A process registers once: with the same `agent_id` and `instance` the runner is renewed and keeps its ID (200). The key of an agent can register runners of its own agent.',
      'A tenant has a limited number of runners. When it has as many, the one that was not seen for longest makes room if it is offline; if all are online, it is 409 with the constraint `limit`.',
    ],
    body: registerRunnerBody,
    readOnly,
    responses: {
      200: { description: 'The runner, which had registered before.', schema: runnerResource },
      201: {
        description: 'The registered runner.',
        schema: runnerResource,
        headers: { Location: 'Path of the created resource.' },
      },
    },
    errors: ['forbidden', 'invalid_input', 'conflict'],
    handler: async (ctx, { body: input }) => {
      const { body, isNew } = await registerRunner(ctx, input);
      return isNew ? { status: 201, body, headers: { Location: `/v1/runners/${body.id}` } } : { status: 200, body };
    },
  }),
  defineRoute({
    ...ofRunners,
    path: '/v1/runners/{runner_id}/heartbeat',
    operationId: 'sendRunnerHeartbeat',
    summary: 'Send a heartbeat',
    description: [
      'Says that the runner is there, and how many tasks it works on. Call it every 30 seconds: after 90 seconds without it the runner counts as offline.',
      'With `drain` true the runner claims nothing more, finishes what it works on, and ends. If the response is 404, register again.',
    ],
    params,
    body: runnerHeartbeatBody,
    responses: { 200: { description: 'What the runner is to do.', schema: runnerOrders } },
    errors: ['invalid_input', 'not_found'],
    handler: async (ctx, { params: { runner_id: runnerId }, body: { running } }) => ({
      status: 200,
      body: await sendRunnerHeartbeat(ctx, { runnerId, running }),
    }),
  }),
];

const readRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/v1/runners',
    operationId: 'listRunners',
    summary: 'List runners',
    description: [
      'Returns a page of runners: on which machines agents run, with which program, and how many tasks they work on. Runners that were not seen for seven days are removed.',
    ],
    tags,
    access: { scope: 'agents:read' },
    query: runnerListQuery,
    responses: { 200: { description: 'A page of runners, newest first by default.', schema: runnerList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort, ...filter } }) => {
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listBody(page, await listRunners(ctx, filter, page)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/runners/{runner_id}',
    operationId: 'getRunner',
    summary: 'Get a runner',
    description: ['Returns a runner. The key of an agent can read only runners of its own agent.'],
    tags,
    access: { scope: ['agents:read', 'agent:self'] },
    params,
    responses: { 200: { description: 'The runner.', schema: runnerResource } },
    errors: ['not_found'],
    handler: async (ctx, { params: { runner_id: runnerId }, principal: { scopes } }) => ({
      status: 200,
      body: await getRunner(ctx, { runnerId, seesAll: scopes.includes('agents:read') }),
    }),
  }),
];

const endingRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/v1/runners/{runner_id}/drain',
    operationId: 'drainRunner',
    summary: 'Drain a runner',
    description: [
      'Lets a runner end when it has finished what it works on. It learns of it with its next heartbeat, within 30 seconds, and claims nothing more from then on. Its agent stays as it is: other runners of the agent go on.',
      'A repeated request changes nothing.',
    ],
    tags,
    access: { scope: 'agents:write' },
    params,
    responses: { 200: { description: 'The runner.', schema: runnerResource } },
    errors: ['not_found'],
    handler: async (ctx, { params }) => ({ status: 200, body: await drainRunner(ctx, params.runner_id) }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/runners/{runner_id}',
    operationId: 'deleteRunner',
    summary: 'Remove a runner',
    description: [
      'Removes a runner from the list. A runner calls this when it ends; use it for one that is offline and will not come back. It ends no process: a runner that still runs registers again with its next heartbeat.',
      'The key of an agent can remove runners of its own agent.',
    ],
    tags,
    access: { scope: ['agents:write', 'agent:self', 'admin'] },
    params,
    responses: { 204: { description: 'Done. The response has no body.' } },
    errors: ['not_found'],
    handler: async (ctx, { params: { runner_id: runnerId }, principal: { scopes } }) => {
      const mayAny = scopes.includes('agents:write') || scopes.includes('admin');
      await removeRunner(ctx, { runnerId, mayAny });
      return { status: 204 };
    },
  }),
];

export const runnerRoutes: Route[] = [...runnersOwn, ...readRoutes, ...endingRoutes];
