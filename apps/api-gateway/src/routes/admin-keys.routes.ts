import { changeApiKey, getApiKey, giverOf, listApiKeys, revokeApiKey, rotateApiKey } from '@eas/access';
import {
  changeKeyBody,
  idOutput,
  keyList,
  keyListQuery,
  keyReadOnly,
  keyResource,
  listAnswer,
  mintKeyBody,
  pageOf,
  rotateKeyBody,
  shownKey,
} from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { z } from 'zod';
import { mintKey } from '../operations/mint-key.ts';

const tags = ['Administration'] as const;
const access = { scope: 'admin' } as const;
const params = z.object({ key_id: idOutput });

/** `ceiling`: requests a minute of a whole tenant. */
const makeRoute = (ceiling: number) =>
  defineRoute({
    method: 'POST',
    path: '/admin/api/keys',
    operationId: 'createApiKey',
    summary: 'Create an API key',
    tags,
    access,
    body: mintKeyBody,
    readOnly: keyReadOnly,
    responses: {
      201: {
        description: 'The key. Its text is shown this once.',
        schema: shownKey,
        headers: { Location: 'Where the key is read.' },
      },
    },
    errors: ['forbidden', 'invalid_input'],
    handler: async (ctx, { body, principal }) => {
      const key = await mintKey(ctx, { body, giver: giverOf(principal, ceiling) });
      return { status: 201, body: key, headers: { Location: `/admin/api/keys/${key.id}` } };
    },
  });

const changeRoute = (ceiling: number) =>
  defineRoute({
    method: 'PATCH',
    path: '/admin/api/keys/{key_id}',
    operationId: 'changeApiKey',
    summary: 'Change an API key',
    tags,
    access,
    params,
    isVersioned: true,
    body: changeKeyBody,
    readOnly: [...keyReadOnly, 'agent_id'],
    responses: { 200: { description: 'The key as it is now.', schema: keyResource } },
    errors: ['forbidden', 'invalid_input', 'not_found', 'conflict'],
    handler: async (ctx, { params: { key_id: id }, ifMatch, body, principal }) => ({
      status: 200,
      ...(await changeApiKey(ctx, { id, ifMatch, body, giver: giverOf(principal, ceiling) })),
    }),
  });

const reading: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/admin/api/keys',
    operationId: 'listApiKeys',
    summary: 'List API keys',
    tags,
    access,
    query: keyListQuery,
    responses: { 200: { description: 'A page of keys, newest first by default.', schema: keyList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort, ...filter } }) => {
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listAnswer(page, await listApiKeys(ctx, filter, page)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/admin/api/keys/{key_id}',
    operationId: 'getApiKey',
    summary: 'Get an API key',
    tags,
    access,
    params,
    isVersioned: true,
    responses: { 200: { description: 'The key, also when it is revoked.', schema: keyResource } },
    errors: ['not_found'],
    handler: async (ctx, { params: { key_id: id } }) => ({ status: 200, ...(await getApiKey(ctx, id)) }),
  }),
];

const ending: Route[] = [
  defineRoute({
    method: 'DELETE',
    path: '/admin/api/keys/{key_id}',
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    tags,
    access,
    params,
    isVersioned: true,
    responses: { 204: { description: 'The key is revoked; it stays listed.' } },
    errors: ['not_found'],
    handler: async (ctx, { params: { key_id: id }, ifMatch }) => {
      await revokeApiKey(ctx, { id, ifMatch });
      return { status: 204 };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/admin/api/keys/{key_id}/rotate',
    operationId: 'rotateApiKey',
    summary: 'Rotate an API key',
    tags,
    access,
    params,
    body: rotateKeyBody,
    responses: { 200: { description: 'The key. Its new text is shown this once.', schema: shownKey } },
    errors: ['forbidden', 'invalid_input', 'not_found', 'conflict'],
    handler: async (ctx, { params: { key_id: id }, body, principal: { scopes } }) => ({
      status: 200,
      ...(await rotateApiKey(ctx, { id, overlapSeconds: body.overlap_seconds, scopes })),
    }),
  }),
];

export const adminKeyRoutes = (ceiling: number): Route[] => [
  makeRoute(ceiling),
  ...reading,
  changeRoute(ceiling),
  ...ending,
];
