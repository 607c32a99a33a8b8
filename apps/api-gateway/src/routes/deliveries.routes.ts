import {
  deadDeliveryCounts,
  deadDeliveryQuery,
  deliveryDetail,
  deliveryList,
  deliveryListQuery,
  deliveryResource,
  idOutput,
  listBody,
  pageOf,
} from '@eas/contracts';
import { defineRoute } from '@eas/http';
import { countDeadDeliveries, getDelivery, listDeliveries, resendDelivery } from '@eas/webhooks';
import { z } from 'zod';

const tags = ['Webhooks'] as const;
/** As all routes of a webhook describe it. */
const ofWebhook = z.object({ webhook_id: z.string().max(64) });
const params = z.object({ delivery_id: idOutput });

export const deliveryRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}/deliveries',
    operationId: 'listDeliveries',
    summary: 'List deliveries',
    description: [
      'Returns a page of the deliveries of a webhook. Use it to find what a receiver did not get: `status=dead` are the deliveries that failed for good.',
      'Deliveries are in the order of their event ids. Read one delivery to see its attempts.',
    ],
    tags,
    access: { scope: 'webhooks:read' },
    params: ofWebhook,
    query: deliveryListQuery,
    responses: { 200: { description: 'A page of deliveries, newest event first by default.', schema: deliveryList } },
    errors: ['invalid_request', 'not_found'],
    handler: async (ctx, { params: { webhook_id: endpointId }, query }) => {
      const { limit, offset, after, sort = '-event_id', ...filter } = query;
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listBody(page, await listDeliveries(ctx, { endpointId, filter }, page)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/deliveries/dead',
    operationId: 'countDeadDeliveries',
    summary: 'Count dead deliveries',
    description: ['Returns how many dead deliveries each webhook has. Use it to see which receivers missed events.'],
    tags,
    access: { scope: 'webhooks:read' },
    query: deadDeliveryQuery,
    responses: { 200: { description: 'The webhooks that have dead deliveries.', schema: deadDeliveryCounts } },
    errors: ['invalid_request'],
    handler: async (ctx, { query }) => ({ status: 200, body: await countDeadDeliveries(ctx, query.created_after) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/deliveries/{delivery_id}',
    operationId: 'getDelivery',
    summary: 'Get a delivery',
    description: [
      'Returns a delivery with its attempts, what was sent and what the receiver responded. Use it to find out why a receiver did not accept an event.',
      'If your scopes do not let you read the event, its body and the responses of the receiver are null.',
    ],
    tags,
    access: { scope: 'webhooks:read' },
    params,
    responses: { 200: { description: 'The delivery.', schema: deliveryDetail } },
    errors: ['not_found'],
    handler: async (ctx, { params: { delivery_id: id }, principal }) => ({
      status: 200,
      body: await getDelivery(ctx, id, principal.scopes),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/deliveries/{delivery_id}/resend',
    operationId: 'resendDelivery',
    summary: 'Resend a delivery',
    description: [
      'Makes a delivery due at once, whether it is dead, waiting or was delivered. Use it when a receiver lost an event or is repaired.',
      'Retries start again with the first wait, and the numbers of attempts continue. While the webhook is paused, the delivery is held until it recovers.',
      'If the delivery is being sent, if the webhook is disabled or deleted, or if the event is no longer stored, the response is 409.',
    ],
    tags,
    access: { scope: 'webhooks:write' },
    params,
    responses: { 200: { description: 'The delivery.', schema: deliveryResource } },
    errors: ['not_found', 'conflict'],
    handler: async (ctx, { params: { delivery_id: id } }) => ({ status: 200, body: await resendDelivery(ctx, id) }),
  }),
];
