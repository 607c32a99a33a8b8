import { changeApiKey, getApiKey, giverOf, listApiKeys, revokeApiKey, rotateApiKey } from '@eas/access';
import {
  changeKeyBody,
  idOutput,
  keyList,
  keyListQuery,
  keyReadOnly,
  keyResource,
  listBody,
  mintKeyBody,
  pageOf,
  rotateKeyBody,
  shownKey,
} from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { z } from 'zod';
import { mintKey } from '../../operations/mint-key.ts';

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
    description: [
      'Creates an API key. You can grant only scopes that you have.',
      'The key can be used at once. Its text is shown only in this response: store it.',
    ],
    tags,
    access,
    body: mintKeyBody,
    readOnly: keyReadOnly,
    responses: {
      201: {
        description: 'The created key.',
        schema: shownKey,
        headers: { Location: 'Path of the created resource.' },
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
    description: [
      'Changes fields of an API key with a JSON merge patch: name, scopes, limits, expiry. The text of the key stays the same.',
      'The change takes effect within seconds. A revoked key cannot be changed.',
    ],
    tags,
    access,
    params,
    isVersioned: true,
    body: changeKeyBody,
    readOnly: [...keyReadOnly, 'agent_id'],
    responses: { 200: { description: 'The key.', schema: keyResource } },
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
    description: [
      'Returns a page of API keys, including revoked ones. Use it to see who has access and which keys are unused.',
    ],
    tags,
    access,
    query: keyListQuery,
    responses: { 200: { description: 'A page of keys, newest first by default.', schema: keyList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort, ...filter } }) => {
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listBody(page, await listApiKeys(ctx, filter, page)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/admin/api/keys/{key_id}',
    operationId: 'getApiKey',
    summary: 'Get an API key',
    description: ['Returns an API key without its text. Revoked keys can be read too.'],
    tags,
    access,
    params,
    isVersioned: true,
    responses: { 200: { description: 'The key.', schema: keyResource } },
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
    description: ['Revokes an API key for good. Requests with it are refused within seconds. The key stays listed.'],
    tags,
    access,
    params,
    isVersioned: true,
    responses: { 204: { description: 'Done. The response has no body.' } },
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
    description: [
      'Gives an API key a new text. Use it regularly, and whenever a key may have leaked.',
      'The previous text stays valid for `overlap_seconds`; older ones do not. The new text is shown only in this response.',
    ],
    tags,
    access,
    params,
    body: rotateKeyBody,
    responses: { 200: { description: 'The key with its new text.', schema: shownKey } },
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
