import {
  changeIntegrationBody,
  chatMessageList,
  chatMessageListQuery,
  createIntegrationBody,
  createReconcileBody,
  idOutput,
  integration,
  integrationList,
  integrationListQuery,
  integrationReadOnly,
  integrationTest,
  type IntegrationView,
  listBody,
  pageOf,
  reconcile,
  rotatedIntegration,
  rotateIntegrationBody,
} from '@eas/contracts';
import { defineRoute, pageHeaders, pageHeaderTexts, type Route } from '@eas/http';
import { cancelReconcile, createReconcile, getReconcile } from '@eas/task-platform';
import {
  changeIntegration,
  createIntegration,
  deleteIntegration,
  getIntegration,
  inboundPath,
  listIntegrations,
  rotateIntegration,
  type VetUrl,
} from '@eas/integrations';
import { type ChatTesting, listChatMessages } from '@eas/chat';
import { testIntegration } from '@eas/receiving';
import { z } from 'zod';

/** For addresses of chats. */
type UrlRules = { vetUrl: VetUrl };

const params = z.object({ integration_id: z.string().max(64) });

const disconnect = defineRoute({
  method: 'DELETE',
  path: '/v1/integrations/{integration_id}',
  operationId: 'deleteIntegration',
  summary: 'Delete an integration',
  description: [
    'Disconnects a system for good. To switch it off for a while, use `changeIntegration` with the status `disconnected`.',
    'Webhooks of the system are refused from now on. Tasks that it created stay.',
  ],
  tags: ['Integrations'],
  access: { scope: 'integrations:write' },
  params,
  isVersioned: true,
  responses: { 204: { description: 'Done. The response has no body.' } },
  errors: ['not_found'],
  handler: async (ctx, { params: { integration_id: id }, ifMatch }) => {
    await deleteIntegration(ctx, { id, ifMatch });
    return { status: 204 };
  },
});

const messagesRoute = defineRoute({
  method: 'GET',
  path: '/v1/integrations/{integration_id}/messages',
  operationId: 'listChatMessages',
  summary: 'List chat messages',
  description: [
    'Returns a page of the messages that an integration of the type `slack` posted to its workspace, or will post. Use it to find out why a message is missing.',
    'Settled messages are removed after some time (`DELIVERY_RETENTION_DAYS`).',
  ],
  tags: ['Integrations'],
  access: { scope: 'integrations:read' },
  params,
  query: chatMessageListQuery,
  responses: { 200: { description: 'A page of messages, newest first by default.', schema: chatMessageList } },
  errors: ['invalid_request', 'not_found'],
  handler: async (ctx, { params: { integration_id: id }, query: { limit, offset, after, sort, ...filter } }) => {
    const page = pageOf({ limit, offset, after, sort });
    return { status: 200, body: listBody(page, await listChatMessages(ctx, { id, filter }, page)) };
  },
});

const changeRoute = (baseUrl: string, rules: UrlRules): Route =>
  defineRoute({
    method: 'PATCH',
    path: '/v1/integrations/{integration_id}',
    operationId: 'changeIntegration',
    summary: 'Change an integration',
    description: [
      'Changes fields of an integration with a JSON merge patch. Use it to replace a secret, or to switch the integration off and on.',
      'A new secret takes effect within seconds; webhooks that are signed with an old one are then refused. To change it without a gap, use `rotateIntegration`.',
    ],
    tags: ['Integrations'],
    access: { scope: 'integrations:write' },
    params,
    body: changeIntegrationBody,
    readOnly: [...integrationReadOnly],
    isVersioned: true,
    responses: { 200: { description: 'The integration.', schema: integration } },
    errors: ['invalid_input', 'not_found', 'conflict'],
    handler: async (ctx, { params: { integration_id: id }, body, ifMatch, principal: { scopes: callerScopes } }) => {
      const { integration: changed, version } = await changeIntegration(ctx, {
        id,
        ifMatch,
        body,
        callerScopes,
        ...rules,
      });
      return { status: 200, body: show(baseUrl, changed), version };
    },
  });

const rotateRoute = (baseUrl: string): Route =>
  defineRoute({
    method: 'POST',
    path: '/v1/integrations/{integration_id}/rotate-secret',
    operationId: 'rotateIntegration',
    summary: 'Rotate the secret of an integration',
    description: [
      'Gives an integration a new secret. If you send none, the service creates one and shows it only in this response.',
      'For 24 hours webhooks signed with the previous secret are accepted too; older secrets stop at once. An integration of the type `slack` has no such secret: the response is 409.',
    ],
    tags: ['Integrations'],
    access: { scope: 'integrations:write' },
    params,
    body: rotateIntegrationBody,
    isVersioned: true,
    responses: { 200: { description: 'The integration.', schema: rotatedIntegration } },
    errors: ['invalid_input', 'not_found', 'conflict'],
    handler: async (ctx, { params: { integration_id: id }, body: { secret }, ifMatch }) => {
      const { integration: rotated, version } = await rotateIntegration(ctx, { id, ifMatch, secret });
      return { status: 200, body: show(baseUrl, rotated), version };
    },
  });

const testRoute = (baseUrl: string, chat: ChatTesting): Route =>
  defineRoute({
    method: 'POST',
    path: '/v1/integrations/{integration_id}/test',
    operationId: 'testIntegration',
    summary: 'Test an integration',
    description: [
      'Signs a sample webhook with the stored secret and verifies it as the receiver does at `inbound_url`. Nothing is stored, and the other system is not called, unless it is a chat.',
      'A sample that is not accepted is a 200 here: see `reason`. Whether the other system has the same secret shows in `last_received_at`, and in `last_error` of the integration.',
      'For `slack` it posts a test message to the channels, the first five. If the chat accepts it, a degraded integration becomes active again; else `error` and `detail` say what the chat responded.',
    ],
    tags: ['Integrations'],
    access: { scope: 'integrations:write' },
    params,
    isIdempotent: false,
    responses: { 200: { description: 'What the test found.', schema: integrationTest } },
    errors: ['not_found', 'conflict'],
    handler: async (ctx, { params: { integration_id: id } }) => {
      const { inboundPath: path, ...tested } = await testIntegration(ctx, id, chat);
      return { status: 200, body: { ...tested, inbound_url: `${baseUrl}${path}` } };
    },
  });

const ofReconcile = z.object({ reconciliation_id: idOutput });
const shownReconcile = { 200: { description: 'The reconciliation.', schema: reconcile } } as const;

const reconcileRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/integrations/{integration_id}/reconcile',
    operationId: 'createReconciliation',
    summary: 'Compare with the task platform',
    description: [
      'Reads the tasks that the task platform changed after `since`, and repairs what differs: missing tasks are created, fields and states are set. Use it after webhooks were lost. What a webhook reported later stays.',
      'It runs in the background, at most 100 calls to the platform a minute: read it to follow its progress. An integration can run one at a time; while one is running the response is 409.',
      'Tasks that were deleted on the platform are not listed by it, and stay.',
      'The integration must be of the type `taskplatform` and have a `token`.',
    ],
    tags: ['Integrations'],
    access: { scope: 'integrations:write' },
    params,
    body: createReconcileBody,
    responses: {
      202: {
        description: 'The reconciliation, which has just begun.',
        schema: reconcile,
        headers: { Location: 'Path of the created resource.' },
      },
    },
    errors: ['invalid_input', 'not_found', 'conflict'],
    handler: async (ctx, { params: { integration_id: integrationId }, body }) => {
      const created = await createReconcile(ctx, { integrationId, body });
      return { status: 202, body: created, headers: { Location: `/v1/reconciliations/${created.id}` } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/reconciliations/{reconciliation_id}',
    operationId: 'getReconciliation',
    summary: 'Get a reconciliation',
    description: ['Returns a reconciliation. Use it to see how far it has come, and what it repaired.'],
    tags: ['Integrations'],
    access: { scope: 'integrations:read' },
    params: ofReconcile,
    responses: shownReconcile,
    errors: ['not_found'],
    handler: async (ctx, { params: { reconciliation_id: id } }) => ({ status: 200, body: await getReconcile(ctx, id) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/reconciliations/{reconciliation_id}/cancel',
    operationId: 'cancelReconciliation',
    summary: 'Cancel a reconciliation',
    description: ['Stops a running reconciliation. What it has repaired stays. If it has ended, the response is 409.'],
    tags: ['Integrations'],
    access: { scope: 'integrations:write' },
    params: ofReconcile,
    responses: shownReconcile,
    errors: ['not_found', 'conflict'],
    handler: async (ctx, { params: { reconciliation_id: id } }) => ({
      status: 200,
      body: await cancelReconcile(ctx, id),
    }),
  }),
];

export const integrationRoutes = (baseUrl: string, chat: ChatTesting, rules: UrlRules): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/v1/integrations',
    operationId: 'createIntegration',
    summary: 'Create an integration',
    description: [
      'Connects a third-party system: a task-management platform, a source host or a chat workspace.',
      'The service accepts webhooks of the system at the `inbound_url` of the response, if they are signed with the secret. Set this address in the other system.',
    ],
    tags: ['Integrations'],
    access: { scope: 'integrations:write' },
    body: createIntegrationBody,
    responses: {
      201: {
        description: 'The created integration.',
        schema: integration,
        headers: { Location: 'Path of the created resource.' },
      },
    },
    errors: ['invalid_input', 'conflict'],
    handler: async (ctx, { body, principal: { scopes } }) => {
      const { integration: made, version } = await createIntegration(ctx, body, scopes, rules.vetUrl);
      return { status: 201, body: show(baseUrl, made), version, headers: { Location: `/v1/integrations/${made.id}` } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/integrations',
    operationId: 'listIntegrations',
    summary: 'List integrations',
    description: [
      'Returns a page of connected systems and their status. Secrets are never returned.',
      'The header `X-Total-Count` is their number, and `Link` the address of the next page.',
    ],
    tags: ['Integrations'],
    access: { scope: 'integrations:read' },
    query: integrationListQuery,
    responses: {
      200: { description: 'A page of integrations, newest first.', schema: integrationList, headers: pageHeaderTexts },
    },
    errors: ['invalid_request'],
    handler: async (ctx, { query }) => {
      const found = await listIntegrations(ctx, query);
      const headers = pageHeaders('/v1/integrations', query, found);
      return { status: 200, body: { data: found.items.map((one) => show(baseUrl, one)) }, headers };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/integrations/{integration_id}',
    operationId: 'getIntegration',
    summary: 'Get an integration',
    description: [
      'Returns an integration. Use it to check its status or to look up its `inbound_url`.',
      'The `ETag` of the response is its version: send it as `If-Match` when you change it.',
    ],
    tags: ['Integrations'],
    access: { scope: 'integrations:read' },
    params,
    isVersioned: true,
    responses: { 200: { description: 'The integration.', schema: integration } },
    errors: ['not_found'],
    handler: async (ctx, { params: { integration_id: id } }) => {
      const { integration: found, version } = await getIntegration(ctx, id);
      return { status: 200, body: show(baseUrl, found), version };
    },
  }),
  changeRoute(baseUrl, rules),
  rotateRoute(baseUrl),
  testRoute(baseUrl, chat),
  messagesRoute,
  disconnect,
  ...reconcileRoutes,
];

const show = <V extends IntegrationView>(baseUrl: string, view: V): V => ({
  ...view,
  inbound_url: `${baseUrl}${inboundPath(view)}`,
});
