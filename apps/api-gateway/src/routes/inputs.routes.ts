import {
  answerInputBody,
  askedInput,
  askInputBody,
  idOutput,
  inputList,
  inputListQuery,
  inputResource,
  listAnswer,
  pageOf,
} from '@eas/contracts';
import { defineRoute } from '@eas/http';
import { answerInput, askInput, getInput, listInputs } from '@eas/tasks';
import { z } from 'zod';

const tags = ['Inputs'] as const;
const params = z.object({ input_id: idOutput });

export const inputRoutes = (leaseSeconds: number) => [
  defineRoute({
    method: 'POST',
    path: '/v1/leases/{lease_id}/inputs',
    operationId: 'askInput',
    summary: 'Ask a person',
    tags: ['Agent protocol'],
    access: { scope: ['agent:self', 'admin'] },
    params: z.object({ lease_id: idOutput }),
    body: askInputBody,
    responses: {
      201: {
        description: 'The input; the same again while it waits is the one that waits already.',
        schema: askedInput,
        headers: { Location: 'Where the input is read.' },
      },
    },
    errors: ['invalid_request', 'invalid_input', 'not_found', 'conflict'],
    bucket: 'agent',
    isIdempotent: false,
    handler: async (ctx, { params: { lease_id: leaseId }, body }) => {
      const asked = await askInput(ctx, { leaseId, leaseSeconds, body });
      return { status: 201, body: asked, headers: { Location: `/v1/inputs/${asked.input.id}` } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/inputs',
    operationId: 'listInputs',
    summary: 'List inputs',
    tags,
    access: { scope: ['tasks:read', 'agent:self'] },
    query: inputListQuery,
    responses: { 200: { description: 'A page of inputs, newest first by default.', schema: inputList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort, ...filter }, principal: { scopes } }) => {
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listAnswer(page, await listInputs(ctx, { scopes, filter }, page)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/inputs/{input_id}',
    operationId: 'getInput',
    summary: 'Get an input',
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
    tags,
    access: { scope: 'tasks:write' },
    params,
    body: answerInputBody,
    responses: { 200: { description: 'The input as it was answered.', schema: inputResource } },
    errors: ['invalid_input', 'not_found', 'conflict'],
    handler: async (ctx, { params: { input_id: inputId }, body }) => ({
      status: 200,
      body: await answerInput(ctx, { inputId, body }),
    }),
  }),
];
