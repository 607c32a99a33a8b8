import { nameList, nameListQuery, scopes } from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { listNames } from '../../operations/list-names.ts';

export const adminNameRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/admin/api/names',
    operationId: 'listNames',
    summary: 'List names',
    description: [
      'Returns what users, API keys, OAuth clients, agents and integrations are called, also removed ones. Use it to show who did something: timelines, the audit log and other resources contain IDs.',
      'Any caller can read names, also without a scope for the resource itself.',
    ],
    tags: ['Administration'],
    access: { scope: scopes },
    query: nameListQuery,
    responses: { 200: { description: 'The names of the given IDs.', schema: nameList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { ids = [] } }) => ({ status: 200, body: { data: await listNames(ctx, ids) } }),
  }),
];
