import {
  createdWebhook,
  createWebhookBody,
  listBody,
  pageOf,
  webhookList,
  webhookListQuery,
  webhookResource,
} from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { createEndpoint, type EndpointRules, getEndpoint, listEndpoints } from '@eas/webhooks';
import { z } from 'zod';

const params = z.object({ webhook_id: z.string().max(64) });

export const webhookRoutes = (rules: EndpointRules): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/v1/webhooks',
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description: [
      'Registers an address that receives events. Use it to be notified instead of polling. You can subscribe only to events that your scopes let you read.',
      'From now on each matching event is sent as a signed POST: see the webhooks of this document. Failed deliveries are tried again for several days.',
      'If you send no secret, the service creates one and shows it only in this response.',
    ],
    tags: ['Webhooks'],
    access: { scope: 'webhooks:write' },
    body: createWebhookBody,
    readOnly: ['id', 'status', 'created_at', 'updated_at'],
    responses: {
      201: {
        description: 'The created webhook.',
        schema: createdWebhook,
        headers: { Location: 'Path of the created resource.' },
      },
    },
    errors: ['invalid_input'],
    handler: async (ctx, { body, principal }) => {
      const webhook = await createEndpoint(ctx, { body, scopes: principal.scopes }, rules);
      return { status: 201, body: webhook, headers: { Location: `/v1/webhooks/${webhook.id}` } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/webhooks',
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: ['Returns a page of registered webhooks and their status. Secrets are never returned.'],
    tags: ['Webhooks'],
    access: { scope: 'webhooks:read' },
    query: webhookListQuery,
    responses: { 200: { description: 'A page of webhooks, newest first by default.', schema: webhookList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort, ...filter } }) => {
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listBody(page, await listEndpoints(ctx, filter, page)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}',
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    description: [
      'Returns a webhook. Use it to check its status: `failing` and `paused` mean that deliveries do not succeed.',
    ],
    tags: ['Webhooks'],
    access: { scope: 'webhooks:read' },
    params,
    responses: { 200: { description: 'The webhook.', schema: webhookResource } },
    errors: ['not_found'],
    handler: async (ctx, { params: { webhook_id: id } }) => ({ status: 200, body: await getEndpoint(ctx, id) }),
  }),
];
