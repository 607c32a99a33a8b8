import { changeUser, createUser, deleteUser, getUser, linkPath, listUsers, makePasswordLink } from '@eas/access';
import {
  changeUserBody,
  createdUser,
  createUserBody,
  idOutput,
  listBody,
  pageOf,
  userLink,
  userList,
  userListQuery,
  userReadOnly,
  userResource,
} from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { z } from 'zod';

const tags = ['Administration'] as const;
const access = { scope: 'admin' } as const;
const params = z.object({ user_id: idOutput });

export const adminUserRoutes = (baseUrl: string): Route[] => [createRoute(baseUrl), ...otherRoutes, linkRoute(baseUrl)];

const createRoute = (baseUrl: string): Route =>
  defineRoute({
    method: 'POST',
    path: '/admin/api/users',
    operationId: 'createUser',
    summary: 'Create a user',
    description: [
      'Creates an account for a person, with a role or with scopes. You can grant only scopes that you have.',
      'Without a password the user is `invited`, and the response has a one-time link, valid for 24 hours, with which the person sets a password. Send this link to the person.',
    ],
    tags,
    access,
    body: createUserBody,
    readOnly: userReadOnly,
    responses: {
      201: {
        description: 'The created user.',
        schema: createdUser,
        headers: { Location: 'Path of the created resource.' },
      },
    },
    errors: ['forbidden', 'invalid_input', 'conflict'],
    handler: async (ctx, { body, principal: { scopes } }) => {
      const { user, linkToken } = await createUser(ctx, { body, scopes });
      const link = linkToken === undefined ? {} : { link: `${baseUrl}${linkPath(linkToken)}` };
      return { status: 201, body: { ...user, ...link }, headers: { Location: `/admin/api/users/${user.id}` } };
    },
  });

const linkRoute = (baseUrl: string): Route =>
  defineRoute({
    method: 'POST',
    path: '/admin/api/users/{user_id}/link',
    operationId: 'createUserLink',
    summary: 'Create a one-time link for a user',
    description: [
      'Creates a link, valid for 24 hours, with which the person sets a new password. Use it for people who lost theirs, or their invitation. Earlier links of the user stop working.',
      'Anyone who has the link can sign in as the person: you can create links only for users whose scopes you have.',
    ],
    tags,
    access,
    params,
    responses: { 200: { description: 'The link.', schema: userLink } },
    errors: ['forbidden', 'not_found'],
    handler: async (ctx, { params: { user_id: id }, principal: { scopes } }) => {
      const token = await makePasswordLink(ctx, { id, scopes });
      return { status: 200, body: { link: `${baseUrl}${linkPath(token)}` } };
    },
  });

const otherRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/admin/api/users',
    operationId: 'listUsers',
    summary: 'List users',
    description: ['Returns a page of the people who can sign in.'],
    tags,
    access,
    query: userListQuery,
    responses: { 200: { description: 'A page of users, newest first by default.', schema: userList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort, ...filter } }) => {
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listBody(page, await listUsers(ctx, filter, page)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/admin/api/users/{user_id}',
    operationId: 'getUser',
    summary: 'Get a user',
    description: ['Returns a user.'],
    tags,
    access,
    params,
    isVersioned: true,
    responses: { 200: { description: 'The user.', schema: userResource } },
    errors: ['not_found'],
    handler: async (ctx, { params: { user_id: id } }) => ({ status: 200, ...(await getUser(ctx, id)) }),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/admin/api/users/{user_id}',
    operationId: 'changeUser',
    summary: 'Change a user',
    description: [
      'Changes fields of a user with a JSON merge patch. You can grant only scopes that you have, and change only users whose scopes you have.',
      'Other scopes or a new password end all sessions of the user.',
    ],
    tags,
    access,
    params,
    isVersioned: true,
    body: changeUserBody,
    readOnly: userReadOnly,
    responses: { 200: { description: 'The user.', schema: userResource } },
    errors: ['forbidden', 'invalid_input', 'not_found', 'conflict'],
    handler: async (ctx, { params: { user_id: id }, ifMatch, body, principal: { scopes } }) => ({
      status: 200,
      ...(await changeUser(ctx, { id, ifMatch, body, scopes })),
    }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/admin/api/users/{user_id}',
    operationId: 'deleteUser',
    summary: 'Delete a user',
    description: [
      'Deletes a user and ends all of their sessions. You can delete only users whose scopes you have. What the user created stays.',
    ],
    tags,
    access,
    params,
    isVersioned: true,
    responses: { 204: { description: 'Done. The response has no body.' } },
    errors: ['forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params: { user_id: id }, ifMatch, principal: { scopes } }) => {
      await deleteUser(ctx, { id, ifMatch, scopes });
      return { status: 204 };
    },
  }),
];
