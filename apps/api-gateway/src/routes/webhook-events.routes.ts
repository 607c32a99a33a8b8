import { maxPageSize, webhookEvents, webhookEventsQuery } from '@eas/contracts';
import type { ChangeWaits } from '@eas/db';
import { defineRoute, type Route } from '@eas/http';
import { pullEvents } from '@eas/webhooks';
import { z } from 'zod';

export const webhookEventRoutes = (waits: ChangeWaits): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}/events',
    operationId: 'pullWebhookEvents',
    summary: 'Pull events of a webhook',
    description: [
      'Returns the events that match the subscriptions of a webhook, in the order in which they were committed, whether they were delivered or not. Use it to catch up after a receiver was down, or to pull events instead of receiving them.',
      'Send the `next_cursor` of each page as `after` of the next request: you get every event once. With `wait_seconds` the request waits for an event. You get only events of families that your scopes let you read.',
      'A page can be empty although more events follow: continue while `has_more` is true.',
    ],
    tags: ['Webhooks'],
    access: { scope: 'events:read' },
    params: z.object({ webhook_id: z.string().max(64) }),
    query: webhookEventsQuery,
    responses: { 200: { description: 'A page of events, oldest first.', schema: webhookEvents } },
    errors: ['invalid_request', 'not_found', 'conflict'],
    canWait: true,
    handler: async (ctx, { params: { webhook_id: endpointId }, query, principal: { scopes } }) => {
      const { after, limit = maxPageSize, wait_seconds: waitSeconds = 0 } = query;
      const pull = { endpointId, after, limit, waitMs: waitSeconds * 1_000, scopes };
      return { status: 200, body: await pullEvents(ctx, waits, pull) };
    },
  }),
];
