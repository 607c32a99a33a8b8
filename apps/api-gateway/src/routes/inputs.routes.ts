import {
  answerInputBody,
  askedInput,
  askInputBody,
  idOutput,
  inputList,
  inputListQuery,
  inputResource,
  listBody,
  pageOf,
} from '@eas/contracts';
import { defineRoute } from '@eas/http';
import { answerInput, askInput, getInput, listInputs } from '@eas/tasks';
import { z } from 'zod';
import { leaseCall } from './leases.routes.ts';

const tags = ['Inputs'] as const;
const params = z.object({ input_id: idOutput });

const askRoute = defineRoute({
  ...leaseCall,
  path: '/v1/leases/{lease_id}/inputs',
  operationId: 'askInput',
  summary: 'Ask a person',
  description: [
    'Asks a person a question, offers a choice, shows a form with several fields, or requests an approval or a permission. Use it when you need a decision that you cannot make. To ask for permission only where a policy says so, call `requestPermission`.',
    'If the input is blocking, the lease is parked: it does not expire, and the agent can claim other tasks. The answer arrives as an `answer` directive, and the lease continues with your next call under it. If a blocking input expires without an answer, the task fails.',
    'Sends the event `task.asked`, and `task.blocked` if the input is blocking. Asking the same again while the input waits returns the waiting input.',
  ],
  body: askInputBody,
  responses: {
    201: {
      description: 'The input, and the state of the lease.',
      schema: askedInput,
      headers: { Location: 'Path of the created resource.' },
    },
  },
  handler: async (ctx, { params: { lease_id: leaseId }, body }) => {
    const asked = await askInput(ctx, { leaseId, body });
    return { status: 201, body: asked, headers: { Location: `/v1/inputs/${asked.input.id}` } };
  },
});

const answerRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/inputs',
    operationId: 'listInputs',
    summary: 'List inputs',
    description: [
      'Returns a page of what agents asked people. Use it with `status=pending` to show people what waits for an answer.',
      'A caller that has only the scope `agent:self` gets the agent’s own questions.',
    ],
    tags,
    access: { scope: ['tasks:read', 'agent:self'] },
    query: inputListQuery,
    responses: { 200: { description: 'A page of inputs, newest first by default.', schema: inputList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort, ...filter }, principal: { scopes } }) => {
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listBody(page, await listInputs(ctx, { scopes, filter }, page)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/inputs/{input_id}',
    operationId: 'getInput',
    summary: 'Get an input',
    description: ['Returns what an agent asked and, once there is one, the answer.'],
    tags,
    access: { scope: ['tasks:read', 'agent:self'] },
    params,
    responses: { 200: { description: 'The input.', schema: inputResource } },
    errors: ['not_found'],
    handler: async (ctx, { params: { input_id: inputId }, principal: { scopes } }) => ({
      status: 200,
      body: await getInput(ctx, { inputId, scopes }),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/inputs/{input_id}/answer',
    operationId: 'answerInput',
    summary: 'Answer an input',
    description: [
      'Answers what an agent asked: `answer` for a question or a choice, `content` for a form, `decision` for an approval or a permission. What does not fit the form is refused by field. `allow_always` allows the same for the rest of the task (same tool kind; same command, or same title where there is none): `listTaskPermissions` has it, `deleteTaskPermission` takes it back.',
      'The agent gets the answer as a directive. If it was waiting, its lease continues with its next call; if it does not come back within 10 minutes, the task opens for another attempt.',
      'An input can be answered once. Sends the event `task.answered`.',
    ],
    tags,
    access: { scope: 'tasks:write' },
    params,
    body: answerInputBody,
    responses: { 200: { description: 'The input.', schema: inputResource } },
    errors: ['invalid_input', 'not_found', 'conflict'],
    handler: async (ctx, { params: { input_id: inputId }, body }) => ({
      status: 200,
      body: await answerInput(ctx, { inputId, body }),
    }),
  }),
];

export const inputRoutes = [askRoute, ...answerRoutes];
