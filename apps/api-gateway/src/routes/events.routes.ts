import { eventDetail, eventList, eventListQuery, idOutput, listBody, pageOf } from '@eas/contracts';
import { defineRoute } from '@eas/http';
import { getEventDetail, listEvents } from '@eas/webhooks';
import { z } from 'zod';

const tags = ['Events'] as const;

export const eventRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/events',
    operationId: 'listEvents',
    summary: 'List events',
    description: [
      'Returns a page of events. Use it to catch up after downtime, or to poll instead of receiving webhooks. You get only events of families that your scopes let you read.',
      'By default and with `sort=event_id`, events are in the order in which they were committed. To poll, use `sort=event_id` and send the `event_id` of the last event as `after`: you get every later event once. If that event is no longer stored, you continue with the oldest one that is.',
      'Ids and timestamps are assigned before the commit, so an event can come after one with a greater id. An event is usually listed within a second.',
    ],
    tags,
    access: { scope: 'events:read' },
    query: eventListQuery,
    responses: { 200: { description: 'A page of events, newest first by default.', schema: eventList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort = '-event_id', ...filter }, principal }) => {
      const page = pageOf({ limit, offset, after, sort });
      const found = await listEvents(ctx, { scopes: principal.scopes, filter }, page);
      return { status: 200, body: listBody(page, found) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/events/{event_id}',
    operationId: 'getEvent',
    summary: 'Get an event',
    description: [
      'Returns one event exactly as deliveries carry it.',
      'With the scope `webhooks:read`, `deliveries` says for each webhook whether it got the event, and why not.',
    ],
    tags,
    access: { scope: 'events:read' },
    params: z.object({ event_id: idOutput }),
    responses: { 200: { description: 'The event.', schema: eventDetail } },
    errors: ['not_found'],
    handler: async (ctx, { params: { event_id: id }, principal }) => ({
      status: 200,
      body: await getEventDetail(ctx, id, principal.scopes),
    }),
  }),
];
