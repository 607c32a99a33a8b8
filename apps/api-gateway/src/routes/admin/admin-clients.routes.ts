import {
  changeClient,
  createClient,
  deleteClient,
  getClient,
  giverOf,
  listClients,
  rotateClientSecret,
} from '@eas/access';
import {
  changeClientBody,
  clientList,
  clientListQuery,
  clientReadOnly,
  clientResource,
  createClientBody,
  listBody,
  pageOf,
  shownClient,
} from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { z } from 'zod';

const tags = ['Administration'] as const;
const access = { scope: 'admin' } as const;
const params = z.object({ client_id: z.string().max(128) });

/** `ceiling`: requests a minute of a whole tenant. */
const makeRoute = (ceiling: number) =>
  defineRoute({
    method: 'POST',
    path: '/admin/api/clients',
    operationId: 'createOauthClient',
    summary: 'Create an OAuth client',
    description: [
      'Registers an application that can ask people for access with OAuth 2.0. You can grant only scopes that you have.',
      'The client secret is shown only in this response. Public clients have none and must use PKCE.',
    ],
    tags,
    access,
    body: createClientBody,
    readOnly: clientReadOnly,
    responses: {
      201: {
        description: 'The created client.',
        schema: shownClient,
        headers: { Location: 'Path of the created resource.' },
      },
    },
    errors: ['forbidden', 'invalid_input'],
    handler: async (ctx, { body, principal }) => {
      const giver = giverOf(principal, ceiling);
      const { body: client, version } = await createClient(ctx, { body, giver });
      return { status: 201, body: client, version, headers: { Location: `/admin/api/clients/${client.id}` } };
    },
  });

const changeRoute = (ceiling: number) =>
  defineRoute({
    method: 'PATCH',
    path: '/admin/api/clients/{client_id}',
    operationId: 'changeOauthClient',
    summary: 'Change an OAuth client',
    description: [
      'Changes fields of an OAuth client with a JSON merge patch: name, redirect addresses, scopes, limits.',
      'Tokens that were granted before lose removed scopes within seconds.',
    ],
    tags,
    access,
    params,
    isVersioned: true,
    body: changeClientBody,
    readOnly: [...clientReadOnly, 'is_public'],
    responses: { 200: { description: 'The client.', schema: clientResource } },
    errors: ['forbidden', 'invalid_input', 'not_found'],
    handler: async (ctx, { params: { client_id: id }, ifMatch, body, principal }) => ({
      status: 200,
      ...(await changeClient(ctx, { id, ifMatch, body, giver: giverOf(principal, ceiling) })),
    }),
  });

const reading: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/admin/api/clients',
    operationId: 'listOauthClients',
    summary: 'List OAuth clients',
    description: ['Returns a page of registered applications. Secrets are never returned.'],
    tags,
    access,
    query: clientListQuery,
    responses: { 200: { description: 'A page of clients, newest first by default.', schema: clientList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort, ...filter } }) => {
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listBody(page, await listClients(ctx, filter, page)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/admin/api/clients/{client_id}',
    operationId: 'getOauthClient',
    summary: 'Get an OAuth client',
    description: ['Returns a registered application without its secret.'],
    tags,
    access,
    params,
    isVersioned: true,
    responses: { 200: { description: 'The client.', schema: clientResource } },
    errors: ['not_found'],
    handler: async (ctx, { params: { client_id: id } }) => ({ status: 200, ...(await getClient(ctx, id)) }),
  }),
];

const ending: Route[] = [
  defineRoute({
    method: 'DELETE',
    path: '/admin/api/clients/{client_id}',
    operationId: 'deleteOauthClient',
    summary: 'Delete an OAuth client',
    description: ['Deletes an OAuth client and revokes all of its tokens.'],
    tags,
    access,
    params,
    isVersioned: true,
    responses: { 204: { description: 'Done. The response has no body.' } },
    errors: ['not_found'],
    handler: async (ctx, { params: { client_id: id }, ifMatch }) => {
      await deleteClient(ctx, { id, ifMatch });
      return { status: 204 };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/admin/api/clients/{client_id}/rotate-secret',
    operationId: 'rotateOauthClientSecret',
    summary: 'Rotate a client secret',
    description: [
      'Gives an OAuth client a new secret. The previous secret is no longer accepted. Tokens stay valid.',
      'The new secret is shown only in this response. Public clients have no secret.',
    ],
    tags,
    access,
    params,
    responses: { 200: { description: 'The client with its new secret.', schema: shownClient } },
    errors: ['forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params: { client_id: id }, principal: { scopes } }) => ({
      status: 200,
      ...(await rotateClientSecret(ctx, { id, scopes })),
    }),
  }),
];

export const adminClientRoutes = (ceiling: number): Route[] => [
  makeRoute(ceiling),
  ...reading,
  changeRoute(ceiling),
  ...ending,
];
