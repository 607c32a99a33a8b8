import { changeTenant, getTenant, listTenants, requireOperator } from '@eas/access';
import {
  changeTenantBody,
  createdTenant,
  createTenantBody,
  idOutput,
  listBody,
  pageOf,
  suspendTenantBody,
  tenantList,
  tenantListQuery,
  tenantReadOnly,
  tenantResource,
} from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import type { ShippedDefinition } from '@eas/workflows';
import { z } from 'zod';
import { forOperators } from '../../system/for-operators.ts';
import { addTenant, endTenant, startTenant, stopTenant } from '../../operations/change-tenants.ts';

const common = { tags: ['Administration'], access: { scope: 'admin' } } as const;
const params = z.object({ tenant_id: idOutput });

export type TenantParts = {
  baseUrl: string;
  /** The workflows that each new tenant gets. */
  shippedWorkflows: readonly ShippedDefinition[];
};

export const adminTenantRoutes = (parts: TenantParts): Route[] => [
  createRoute(parts),
  ...readingRoutes,
  ...changingRoutes,
  ...switchingRoutes,
];

const createRoute = ({ baseUrl, shippedWorkflows: shipped }: TenantParts): Route =>
  defineRoute({
    ...common,
    method: 'POST',
    path: '/admin/api/tenants',
    operationId: 'createTenant',
    summary: 'Create a tenant',
    description: [
      `Creates a tenant with the shipped workflows, and on request a link for its first administrator. ${forOperators}`,
      'A tenant sees only what is its own. The operator sees that it exists, and not its tasks.',
    ],
    body: createTenantBody,
    readOnly: tenantReadOnly,
    responses: {
      201: {
        description: 'The created tenant.',
        schema: createdTenant,
        headers: { Location: 'Path of the created resource.' },
      },
    },
    errors: ['forbidden', 'invalid_input', 'conflict'],
    handler: async (ctx, { body, principal }) => {
      requireOperator(principal);
      const { tenant, adminPath } = await addTenant(ctx, { body, shipped });
      const link = adminPath === undefined ? {} : { admin_link: `${baseUrl}${adminPath}` };
      return { status: 201, body: { ...tenant, ...link }, headers: { Location: `/admin/api/tenants/${tenant.id}` } };
    },
  });

const readingRoutes: Route[] = [
  defineRoute({
    ...common,
    method: 'GET',
    path: '/admin/api/tenants',
    operationId: 'listTenants',
    summary: 'List tenants',
    description: [`Returns a page of the tenants of the installation. ${forOperators}`],
    query: tenantListQuery,
    responses: { 200: { description: 'A page of tenants, newest first by default.', schema: tenantList } },
    errors: ['forbidden', 'invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort, ...filter }, principal }) => {
      requireOperator(principal);
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listBody(page, await listTenants(ctx, filter, page)) };
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/admin/api/tenants/{tenant_id}',
    operationId: 'getTenant',
    summary: 'Get a tenant',
    description: [`Returns a tenant. ${forOperators}`],
    params,
    isVersioned: true,
    responses: { 200: { description: 'The tenant.', schema: tenantResource } },
    errors: ['forbidden', 'not_found'],
    handler: async (ctx, { params: { tenant_id: id }, principal }) => {
      requireOperator(principal);
      return { status: 200, ...(await getTenant(ctx, id)) };
    },
  }),
];

const changingRoutes: Route[] = [
  defineRoute({
    ...common,
    method: 'PATCH',
    path: '/admin/api/tenants/{tenant_id}',
    operationId: 'changeTenant',
    summary: 'Change a tenant',
    description: [
      `Changes the name, plan, rate or limits of a tenant with a JSON merge patch. ${forOperators}`,
      'They hold from the next requests of its callers on. What it has beyond a lower limit stays.',
    ],
    params,
    isVersioned: true,
    body: changeTenantBody,
    readOnly: tenantReadOnly,
    responses: { 200: { description: 'The tenant.', schema: tenantResource } },
    errors: ['forbidden', 'invalid_input', 'not_found', 'conflict'],
    handler: async (ctx, { params: { tenant_id: id }, ifMatch, body, principal }) => {
      requireOperator(principal);
      return { status: 200, ...(await changeTenant(ctx, { id, ifMatch, body })) };
    },
  }),
  defineRoute({
    ...common,
    method: 'DELETE',
    path: '/admin/api/tenants/{tenant_id}',
    operationId: 'deleteTenant',
    summary: 'Delete a tenant',
    description: [
      `Deletes a suspended tenant and everything that is its own. It cannot be undone. ${forOperators}`,
      'Its rows are removed in batches while the system works. Until then the tenant has the status `deleting`, afterwards it does not exist. What it used is closed at once, with the event `tenant.usage_recorded` for each open month.',
    ],
    params,
    isVersioned: true,
    responses: { 202: { description: 'The tenant, which is being deleted.', schema: tenantResource } },
    errors: ['forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params: { tenant_id: id }, ifMatch, principal }) => {
      requireOperator(principal);
      return { status: 202, ...(await endTenant(ctx, { id, ifMatch })) };
    },
  }),
];

const switchingRoutes: Route[] = [
  defineRoute({
    ...common,
    method: 'POST',
    path: '/admin/api/tenants/{tenant_id}/suspend',
    operationId: 'suspendTenant',
    summary: 'Suspend a tenant',
    description: [
      `Refuses all callers of a tenant with 403 and the reason, and sends nothing for it. ${forOperators}`,
      'Its event streams end, waiting claims end, and its agents stop when they next report. Leases run out, and their tasks wait. What it should be sent by webhooks is kept until it is resumed; messages to chats and calls to platforms wait for as long as they may be late. Received webhooks are still applied. Another reason replaces the earlier one.',
    ],
    params,
    isVersioned: true,
    body: suspendTenantBody,
    responses: { 200: { description: 'The tenant.', schema: tenantResource } },
    errors: ['forbidden', 'invalid_input', 'not_found', 'conflict'],
    handler: async (ctx, { params: { tenant_id: id }, ifMatch, body: { reason }, principal }) => {
      requireOperator(principal);
      return { status: 200, ...(await stopTenant(ctx, { id, ifMatch, reason })) };
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/admin/api/tenants/{tenant_id}/resume',
    operationId: 'resumeTenant',
    summary: 'Resume a tenant',
    description: [
      `Admits the callers of a suspended tenant again, and sends what was kept for its webhooks. ${forOperators}`,
      'Its webhooks are active again, those too that had been paused after failures; disabled ones stay so.',
    ],
    params,
    isVersioned: true,
    responses: { 200: { description: 'The tenant.', schema: tenantResource } },
    errors: ['forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params: { tenant_id: id }, ifMatch, principal }) => {
      requireOperator(principal);
      return { status: 200, ...(await startTenant(ctx, { id, ifMatch })) };
    },
  }),
];
