import { changeUser, createUser, deleteUser, getUser, linkPath, listUsers } from '@eas/access';
import {
  changeUserBody,
  createdUser,
  createUserBody,
  idOutput,
  listAnswer,
  pageOf,
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

export const adminUserRoutes = (baseUrl: string): Route[] => [createRoute(baseUrl), ...otherRoutes];

const createRoute = (baseUrl: string): Route =>
  defineRoute({
    method: 'POST',
    path: '/admin/api/users',
    operationId: 'createUser',
    summary: 'Create a user',
    tags,
    access,
    body: createUserBody,
    readOnly: userReadOnly,
    responses: {
      201: {
        description: 'The user; without a password, with a link that sets it.',
        schema: createdUser,
        headers: { Location: 'Where the user is read.' },
      },
    },
    errors: ['forbidden', 'invalid_input', 'conflict'],
    handler: async (ctx, { body, principal: { scopes } }) => {
      const { user, linkToken } = await createUser(ctx, { body, scopes });
      const link = linkToken === undefined ? {} : { link: `${baseUrl}${linkPath(linkToken)}` };
      return { status: 201, body: { ...user, ...link }, headers: { Location: `/admin/api/users/${user.id}` } };
    },
  });

const otherRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/admin/api/users',
    operationId: 'listUsers',
    summary: 'List users',
    tags,
    access,
    query: userListQuery,
    responses: { 200: { description: 'A page of users, newest first by default.', schema: userList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort, ...filter } }) => {
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listAnswer(page, await listUsers(ctx, filter, page)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/admin/api/users/{user_id}',
    operationId: 'getUser',
    summary: 'Get a user',
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
    tags,
    access,
    params,
    isVersioned: true,
    body: changeUserBody,
    readOnly: userReadOnly,
    responses: { 200: { description: 'The user as it is now.', schema: userResource } },
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
    tags,
    access,
    params,
    isVersioned: true,
    responses: { 204: { description: 'The user is gone.' } },
    errors: ['forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params: { user_id: id }, ifMatch, principal: { scopes } }) => {
      await deleteUser(ctx, { id, ifMatch, scopes });
      return { status: 204 };
    },
  }),
];
