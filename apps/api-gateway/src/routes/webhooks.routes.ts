import {
  changeWebhookBody,
  createdWebhook,
  createWebhookBody,
  listBody,
  pageOf,
  rotatedWebhook,
  rotateWebhookSecretBody,
  testWebhookBody,
  webhookList,
  webhookListQuery,
  webhookReadOnly,
  webhookResource,
  webhookTest,
} from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { type EndpointRules, type EndpointTesting, getEndpoint, listEndpoints, testEndpoint } from '@eas/webhooks';
import { z } from 'zod';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  rotateWebhookSecret,
} from '../operations/change-webhooks.ts';

const tags = ['Webhooks'] as const;
const params = z.object({ webhook_id: z.string().max(64) });
const writing = { tags, access: { scope: 'webhooks:write' } } as const;
const shown = { 200: { description: 'The webhook.', schema: webhookResource } };

const createRoute = (rules: EndpointRules): Route =>
  defineRoute({
    ...writing,
    method: 'POST',
    path: '/v1/webhooks',
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description: [
      'Registers an address that receives events. Use it to be notified instead of polling. You can subscribe only to events that your scopes let you read.',
      'From now on each matching event is sent as a signed POST: see the webhooks of this document. Failed deliveries are tried again for several days.',
      'If you send no secret, the service creates one and shows it only in this response.',
    ],
    body: createWebhookBody,
    readOnly: webhookReadOnly,
    responses: {
      201: {
        description: 'The created webhook.',
        schema: createdWebhook,
        headers: { Location: 'Path of the created resource.' },
      },
    },
    errors: ['invalid_input', 'conflict'],
    handler: async (ctx, { body, principal }) => {
      const webhook = await createWebhook(ctx, { body, scopes: principal.scopes }, rules);
      return { status: 201, body: webhook, version: 1, headers: { Location: `/v1/webhooks/${webhook.id}` } };
    },
  });

const reading: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/v1/webhooks',
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: [
      'Returns a page of registered webhooks and their status. Secrets and the values of headers are never returned.',
    ],
    tags,
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
      'The `ETag` of the response is its version: send it as `If-Match` when you change it. Deliveries do not change the version.',
    ],
    tags,
    access: { scope: 'webhooks:read' },
    params,
    isVersioned: true,
    responses: shown,
    errors: ['not_found'],
    handler: async (ctx, { params: { webhook_id: id } }) => ({ status: 200, ...(await getEndpoint(ctx, id)) }),
  }),
];

const changeRoute = (rules: EndpointRules): Route =>
  defineRoute({
    ...writing,
    method: 'PATCH',
    path: '/v1/webhooks/{webhook_id}',
    operationId: 'changeWebhook',
    summary: 'Change a webhook',
    description: [
      'Changes fields of a webhook with a JSON merge patch. To change its secret, use `rotateWebhookSecret`; to switch it off and on, use `disableWebhook` and `enableWebhook`.',
      'You can add only events that your scopes let you read. To change the address, your scopes must cover all of its events.',
      'The change applies to deliveries that are not sent yet, including retries.',
    ],
    params,
    body: changeWebhookBody,
    readOnly: webhookReadOnly,
    isVersioned: true,
    responses: shown,
    errors: ['invalid_input', 'not_found'],
    handler: async (ctx, { params: { webhook_id: id }, ifMatch, body, principal: { scopes } }) => ({
      status: 200,
      ...(await changeWebhook(ctx, { id, ifMatch, body, scopes }, rules)),
    }),
  });

const rotateRoute = (rules: EndpointRules): Route =>
  defineRoute({
    ...writing,
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/rotate-secret',
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate the secret of a webhook',
    description: [
      'Gives a webhook a new secret. If you send none, the service creates one and shows it only in this response.',
      'For 24 hours `webhook-signature` has a signature with the new secret and one with the previous secret; older secrets stop at once. `X-Service-Signature` is made with the new secret at once.',
    ],
    params,
    body: rotateWebhookSecretBody,
    isVersioned: true,
    responses: { 200: { description: 'The webhook.', schema: rotatedWebhook } },
    errors: ['invalid_input', 'not_found'],
    handler: async (ctx, { params: { webhook_id: id }, ifMatch, body: { secret } }) => ({
      status: 200,
      ...(await rotateWebhookSecret(ctx, { id, ifMatch, secret }, rules)),
    }),
  });

const switching: Route[] = [
  defineRoute({
    ...writing,
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/enable',
    operationId: 'enableWebhook',
    summary: 'Enable a webhook',
    description: [
      'Makes a webhook active again, whether it was disabled, paused or failing. Its failures so far no longer count.',
      'Deliveries that were kept for it are sent. A webhook that is active stays as it is.',
    ],
    params,
    isVersioned: true,
    responses: shown,
    errors: ['not_found'],
    handler: async (ctx, { params: { webhook_id: id }, ifMatch }) => ({
      status: 200,
      ...(await enableWebhook(ctx, { id, ifMatch })),
    }),
  }),
  defineRoute({
    ...writing,
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/disable',
    operationId: 'disableWebhook',
    summary: 'Disable a webhook',
    description: [
      'Stops all deliveries to a webhook until it is enabled. Events that happen meanwhile are not sent to it later.',
      'A webhook that is disabled stays as it is.',
    ],
    params,
    isVersioned: true,
    responses: shown,
    errors: ['not_found'],
    handler: async (ctx, { params: { webhook_id: id }, ifMatch }) => ({
      status: 200,
      ...(await disableWebhook(ctx, { id, ifMatch })),
    }),
  }),
  defineRoute({
    ...writing,
    method: 'DELETE',
    path: '/v1/webhooks/{webhook_id}',
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: [
      'Deletes a webhook for good; its open deliveries are given up. To stop it for a while, use `disableWebhook`.',
    ],
    params,
    isVersioned: true,
    responses: { 204: { description: 'Done. The response has no body.' } },
    errors: ['not_found'],
    handler: async (ctx, { params: { webhook_id: id }, ifMatch }) => {
      await deleteWebhook(ctx, { id, ifMatch });
      return { status: 204 };
    },
  }),
];

const testRoute = (testing: EndpointTesting): Route =>
  defineRoute({
    ...writing,
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/test',
    operationId: 'testWebhook',
    summary: 'Test a webhook',
    description: [
      'Sends one signed sample event to a webhook at once and returns what came back. Works in every status, also when the webhook is disabled.',
      'The sample has the data of the example in this document and its own `event_id`. It is not stored, not retried, and does not count for the status of the webhook.',
      'A response that is not 2xx, or none within 15 seconds, is a 200 here: see `outcome`. A tenant can run five tests at the same time.',
    ],
    params,
    body: testWebhookBody,
    isIdempotent: false,
    responses: { 200: { description: 'What came back.', schema: webhookTest } },
    errors: ['invalid_input', 'not_found', 'conflict'],
    handler: async (ctx, { params: { webhook_id: id }, body: { event_type: eventType } }) => ({
      status: 200,
      body: await testEndpoint(ctx, { id, eventType }, testing),
    }),
  });

export const webhookRoutes = (rules: EndpointRules, testing: EndpointTesting): Route[] => [
  createRoute(rules),
  ...reading,
  changeRoute(rules),
  rotateRoute(rules),
  ...switching,
  testRoute(testing),
];
