import {
  changePolicyBody,
  createPolicyBody,
  idOutput,
  listBody,
  pageOf,
  policyList,
  policyListQuery,
  policyResource,
} from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { getPolicy, listPolicies } from '@eas/tasks';
import { z } from 'zod';
import { changePolicy, createPolicy, removePolicy } from '../operations/change-policies.ts';

const tags = ['Permissions'] as const;
const params = z.object({ policy_id: idOutput });
const readOnly = ['id', 'version', 'created_at', 'updated_at'] as const;
const shown = { 200: { description: 'The policy.', schema: policyResource } };
const one = { path: '/v1/policies/{policy_id}', tags, params, isVersioned: true } as const;
const writing = { scope: 'projects:write' } as const;

const readRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/v1/policies',
    operationId: 'listPolicies',
    summary: 'List permission policies',
    description: ['Returns a page of the policies that say what agents may do with their tools.'],
    tags,
    access: { scope: 'tasks:read' },
    query: policyListQuery,
    responses: { 200: { description: 'A page of policies, newest first by default.', schema: policyList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort, ...filter } }) => {
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listBody(page, await listPolicies(ctx, filter, page)) };
    },
  }),
  defineRoute({
    ...one,
    method: 'GET',
    operationId: 'getPolicy',
    summary: 'Get a permission policy',
    description: [
      'Returns a policy with its rules.',
      'The `ETag` of the response is its version: send it as `If-Match` when you change it.',
    ],
    access: { scope: 'tasks:read' },
    responses: shown,
    errors: ['not_found'],
    handler: async (ctx, { params: { policy_id: policyId } }) => ({ status: 200, ...(await getPolicy(ctx, policyId)) }),
  }),
];

const writeRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/v1/policies',
    operationId: 'createPolicy',
    summary: 'Create a permission policy',
    description: [
      'Creates a policy for the tasks of a project and a role. When an agent requests permission for a tool, the first rule that fits decides. Rules are looked for in the policy of the project and role, then of the project, then of the role, then in the one for all tasks. A task without a role has that of its agent. Without a fitting rule it is allowed.',
      'A policy is about what agents ask for. Bound what they can do with their sandbox and environment. Each change is in the audit log.',
    ],
    tags,
    access: writing,
    body: createPolicyBody,
    readOnly,
    responses: {
      201: {
        description: 'The created policy.',
        schema: policyResource,
        headers: { Location: 'Path of the created resource.' },
      },
    },
    errors: ['invalid_input', 'conflict'],
    handler: async (ctx, { body: input }) => {
      const { body, version } = await createPolicy(ctx, input);
      return { status: 201, body, version, headers: { Location: `/v1/policies/${body.id}` } };
    },
  }),
  defineRoute({
    ...one,
    method: 'PATCH',
    operationId: 'changePolicy',
    summary: 'Change a permission policy',
    description: ['Replaces the rules of a policy. The next request for permission is decided by the new ones.'],
    access: writing,
    body: changePolicyBody,
    readOnly: [...readOnly, 'project_id', 'role'],
    responses: shown,
    errors: ['invalid_input', 'not_found', 'conflict'],
    handler: async (ctx, { params: { policy_id: policyId }, body, ifMatch }) => ({
      status: 200,
      ...(await changePolicy(ctx, { policyId, ifMatch, body })),
    }),
  }),
  defineRoute({
    ...one,
    method: 'DELETE',
    operationId: 'deletePolicy',
    summary: 'Delete a permission policy',
    description: ['Deletes a policy. Its rules no longer count.'],
    access: writing,
    responses: { 204: { description: 'Done. The response has no body.' } },
    errors: ['not_found'],
    handler: async (ctx, { params: { policy_id: policyId }, ifMatch }) => {
      await removePolicy(ctx, { policyId, ifMatch });
      return { status: 204 };
    },
  }),
];

export const policyRoutes = [...readRoutes, ...writeRoutes];
