import { createIntegrationBody, integration, integrationList, integrationListQuery, pageOf } from '@eas/contracts';
import { defineRoute } from '@eas/http';
import { createIntegration, listIntegrations } from '@eas/integrations';

export const integrationRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/integrations',
    summary: 'Connect a third-party system',
    tags: ['Integrations'],
    access: { scope: 'integrations:write' },
    body: createIntegrationBody,
    responses: { 201: { description: 'The integration, without its secrets.', schema: integration } },
    errors: ['invalid_input', 'conflict'],
    handler: async (ctx, { body }) => ({ status: 201, body: await createIntegration(ctx, body) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/integrations',
    summary: 'List integrations',
    tags: ['Integrations'],
    access: { scope: 'integrations:read' },
    query: integrationListQuery,
    responses: { 200: { description: 'A page of integrations, newest first.', schema: integrationList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query }) => ({ status: 200, body: { data: await listIntegrations(ctx, pageOf(query)) } }),
  }),
];
