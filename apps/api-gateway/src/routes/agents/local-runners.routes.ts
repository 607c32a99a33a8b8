import { giverOf, isOfOperator, requireOperator } from '@eas/access';
import { idOutput, localRunner, localRunners, type Principal, startLocalRunnerBody } from '@eas/contracts';
import { AppError } from '@eas/core';
import { defineRoute, type Route } from '@eas/http';
import { z } from 'zod';
import { retryLocalRunner, startLocalRunner, stopLocalRunner } from '../../operations/local-runners.ts';
import { forOperators } from '../../system/for-operators.ts';
import type { Supervisor } from '../../supervisor/supervisor.ts';

export type LocalRunnerParts = {
  /** Undefined: processes on this machine may not be started. */
  supervisor: Supervisor | undefined;
  /** Requests a minute of a whole tenant. */
  rateCeiling: number;
};

const common = { tags: ['Agents'], access: { scope: 'admin' } } as const;
const ofOne = { ...common, params: z.object({ agent_id: idOutput }) } as const;
const nothing = { available: false, checking: false, agents: [], runners: [] };

export const localRunnerRoutes = (parts: LocalRunnerParts): Route[] => [...listAndStart(parts), ...ofOneRunner(parts)];

const listAndStart = ({ supervisor, rateCeiling }: LocalRunnerParts): Route[] => [
  defineRoute({
    ...common,
    method: 'GET',
    path: '/v1/local-runners',
    operationId: 'listLocalRunners',
    summary: 'List local runners',
    description: [
      'Returns the coding agents that are installed on the machine of the service, and the runners that it keeps running there. Use it to start an agent without a terminal, and to see why one does not start.',
      `Where the service cannot start runners, as in a container, \`available\` is false and both lists are empty. ${forOperators}`,
    ],
    responses: { 200: { description: 'The coding agents and the runners.', schema: localRunners } },
    errors: ['forbidden'],
    handler: async (_ctx, { principal }) => {
      requireOperator(principal);
      if (!supervisor) return { status: 200, body: nothing };
      return { status: 200, body: { available: true, ...(await supervisor.call({ call: 'list' })).state } };
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/v1/local-runners',
    operationId: 'startLocalRunner',
    summary: 'Start a local runner',
    description: [
      'Creates an agent with a key of its own, and starts a runner that claims its tasks and has a coding agent work on them. Use it to get work done on the machine of `npm start` without a terminal.',
      'The runner is started again whenever it ends, also at the next start of the service. `listLocalRunners` says how it is. If it cannot be started, no agent is created.',
      `${forOperators} In the audit log it is \`local_runner.started\`.`,
    ],
    isIdempotent: false,
    body: startLocalRunnerBody,
    responses: {
      201: {
        description: 'The runner.',
        schema: localRunner,
        headers: { Location: 'Path of the created agent.' },
      },
    },
    errors: ['forbidden', 'invalid_input', 'conflict'],
    handler: async (ctx, { principal, body }) => {
      requireOperator(principal);
      const runner = await startLocalRunner(ctx, required(supervisor), {
        body,
        giver: giverOf(principal, rateCeiling),
      });
      return { status: 201, body: runner, headers: { Location: `/v1/agents/${runner.agent_id}` } };
    },
  }),
];

const ofOneRunner = ({ supervisor }: Pick<LocalRunnerParts, 'supervisor'>): Route[] => [
  defineRoute({
    ...ofOne,
    method: 'POST',
    path: '/v1/local-runners/{agent_id}/retry',
    operationId: 'retryLocalRunner',
    summary: 'Retry a failed local runner',
    description: [
      'Starts a runner that has failed at once; by itself it is tried again every five minutes. Use it when what was missing is there, such as the login of a coding agent.',
      'A runner that has not failed is left as it is.',
    ],
    isIdempotent: false,
    responses: { 200: { description: 'The runner.', schema: localRunner } },
    errors: ['not_found', 'conflict'],
    handler: async (_ctx, { principal, params }) => {
      return { status: 200, body: await retryLocalRunner(ofRunner(principal, supervisor), params.agent_id) };
    },
  }),
  defineRoute({
    ...ofOne,
    method: 'DELETE',
    path: '/v1/local-runners/{agent_id}',
    operationId: 'stopLocalRunner',
    summary: 'Stop a local runner',
    description: [
      'Ends a runner on the machine of the service and revokes its key. Use it when the agent is no longer to work on this machine.',
      'Tasks that it works on are given back within seconds, and others can claim them. The agent stays, with its history; `deleteAgent` deletes it.',
      'In the audit log it is `local_runner.stopped`.',
    ],
    responses: { 204: { description: 'Done. The response has no body.' } },
    errors: ['not_found', 'conflict'],
    handler: async (ctx, { principal, params }) => {
      await stopLocalRunner(ctx, ofRunner(principal, supervisor), params.agent_id);
      return { status: 204 };
    },
  }),
];

/** All runners are the operator's, and without a supervisor there is none. */
function ofRunner(principal: Principal, supervisor: Supervisor | undefined): Supervisor {
  if (supervisor && isOfOperator(principal)) return supervisor;
  throw new AppError('not_found', { message: 'The runner does not exist.' });
}

function required(supervisor: Supervisor | undefined): Supervisor {
  if (supervisor) return supervisor;
  const message =
    'This service cannot start runners on its machine: only npm start can, on a loopback HOST or with LOCAL_RUNNERS=true.';
  throw new AppError('conflict', { constraint: 'state', message });
}
