import { eventList, eventListQuery, eventResource, idOutput, listAnswer, pageOf } from '@eas/contracts';
import { defineRoute } from '@eas/http';
import { getEvent, listEvents } from '@eas/webhooks';
import { z } from 'zod';

const tags = ['Events'] as const;

const eventOrder =
  `A page of events, newest first by default. The default order and \`sort=event_id\` are the order in which events were committed, within the tenant. It is
safe to poll: \`sort=event_id\` with the \`event_id\` of the last event read as \`after\` returns every event that came later,
once. Ids and timestamps are assigned before the commit, so an event can come later than one with a greater id. An event is
listed when it has been numbered, usually within a second.`.replaceAll('\n', ' ');

export const eventRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/events',
    operationId: 'listEvents',
    summary: 'List events',
    tags,
    access: { scope: 'events:read' },
    query: eventListQuery,
    responses: { 200: { description: eventOrder, schema: eventList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort = '-event_id', ...filter }, principal }) => {
      const page = pageOf({ limit, offset, after, sort });
      const found = await listEvents(ctx, { scopes: principal.scopes, filter }, page);
      return { status: 200, body: listAnswer(page, found) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/events/{event_id}',
    operationId: 'getEvent',
    summary: 'Get an event',
    tags,
    access: { scope: 'events:read' },
    params: z.object({ event_id: idOutput }),
    responses: { 200: { description: 'The event.', schema: eventResource } },
    errors: ['not_found'],
    handler: async (ctx, { params: { event_id: id }, principal }) => ({
      status: 200,
      body: await getEvent(ctx, id, principal.scopes),
    }),
  }),
];
