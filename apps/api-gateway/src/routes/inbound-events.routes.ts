import { idOutput, inboundEventDetail, inboundEventList, inboundEventListQuery } from '@eas/contracts';
import { defineRoute } from '@eas/http';
import { getInboundEvent, listInboundEvents } from '@eas/integrations';
import { z } from 'zod';

const tags = ['Integrations'] as const;
const params = z.object({ inbound_event_id: idOutput });

export const inboundEventRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/inbound-events',
    operationId: 'listInboundEvents',
    summary: 'List inbound events',
    description: [
      'Returns a page of the webhooks that integrations received, newest first. Use it to find what was not applied: `state=failed` or `state=quarantined`.',
      'A request looks at 10,000 inbound events at most: a page with filters can be short or empty although `has_more` is true. Continue with `next_cursor`.',
      'A webhook whose signature is wrong gets the response 403 and is not stored.',
    ],
    tags,
    access: { scope: 'integrations:read' },
    query: inboundEventListQuery,
    responses: { 200: { description: 'A page of inbound events, newest first.', schema: inboundEventList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query }) => ({ status: 200, body: await listInboundEvents(ctx, query) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/inbound-events/{inbound_event_id}',
    operationId: 'getInboundEvent',
    summary: 'Get an inbound event',
    description: [
      'Returns an inbound event with its body as it arrived. Use it to see what another system sent, and what became of it.',
      'Bodies are removed 30 days after they were applied, unless the service is set up otherwise.',
    ],
    tags,
    access: { scope: 'integrations:read' },
    params,
    responses: { 200: { description: 'The inbound event.', schema: inboundEventDetail } },
    errors: ['not_found'],
    handler: async (ctx, { params: { inbound_event_id: id } }) => ({
      status: 200,
      body: await getInboundEvent(ctx, id),
    }),
  }),
];
