import {
  createInboundReplayBody,
  idOutput,
  inboundEvent,
  inboundEventDetail,
  inboundEventList,
  inboundEventListQuery,
  inboundReplay,
  inboundReplayPreview,
} from '@eas/contracts';
import { defineRoute } from '@eas/http';
import {
  cancelInboundReplay,
  createInboundReplay,
  getInboundEvent,
  getInboundReplay,
  listInboundEvents,
  previewInboundReplay,
  replayInboundEvent,
} from '@eas/receiving';
import { z } from 'zod';

const tags = ['Integrations'] as const;
const params = z.object({ inbound_event_id: idOutput });
const ofReplay = z.object({ inbound_replay_id: idOutput });
const shownReplay = { 200: { description: 'The replay.', schema: inboundReplay } } as const;

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
  defineRoute({
    method: 'POST',
    path: '/v1/inbound-events/{inbound_event_id}/replay',
    operationId: 'replayInboundEvent',
    summary: 'Replay an inbound event',
    description: [
      'Applies the stored body of an inbound event again. Use it when the reason why it failed is gone, or when a new version knows its event.',
      'What is older than the present state of a task changes nothing, as always. The state is `received` until it was applied.',
      'If it is waiting to be applied, if its body was removed, or if its event is not known, the response is 409.',
    ],
    tags,
    access: { scope: 'integrations:write' },
    params,
    responses: { 200: { description: 'The inbound event.', schema: inboundEvent } },
    errors: ['not_found', 'conflict'],
    handler: async (ctx, { params: { inbound_event_id: id } }) => ({
      status: 200,
      body: await replayInboundEvent(ctx, id),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/inbound-events/replays',
    operationId: 'createInboundReplay',
    summary: 'Replay inbound events',
    description: [
      'Applies stored inbound events again, oldest first, at most `max_per_second`. By default those that failed.',
      'With `dry_run` the response is 200 with their number, and nothing is applied. Otherwise the replay runs in the background: read it to follow its progress.',
      'Inbound events whose body was removed, or whose event is not known, are skipped. A tenant can run one replay at a time.',
    ],
    tags,
    access: { scope: 'integrations:write' },
    body: createInboundReplayBody,
    responses: {
      200: { description: 'What would be applied again: the request had `dry_run`.', schema: inboundReplayPreview },
      201: {
        description: 'The replay.',
        schema: inboundReplay,
        headers: { Location: 'Path of the created resource.' },
      },
    },
    errors: ['invalid_input', 'conflict'],
    handler: async (ctx, { body }) => {
      if (body.dry_run) return { status: 200, body: await previewInboundReplay(ctx, body) };
      const replay = await createInboundReplay(ctx, body);
      return { status: 201, body: replay, headers: { Location: `/v1/inbound-replays/${replay.id}` } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/inbound-replays/{inbound_replay_id}',
    operationId: 'getInboundReplay',
    summary: 'Get a replay of inbound events',
    description: ['Returns a replay. Use it to see how far the replay has come.'],
    tags,
    access: { scope: 'integrations:read' },
    params: ofReplay,
    responses: shownReplay,
    errors: ['not_found'],
    handler: async (ctx, { params: { inbound_replay_id: id } }) => ({
      status: 200,
      body: await getInboundReplay(ctx, id),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/inbound-replays/{inbound_replay_id}/cancel',
    operationId: 'cancelInboundReplay',
    summary: 'Cancel a replay of inbound events',
    description: [
      'Stops a running replay. Inbound events that were given to be applied already still are. If the replay has ended, the response is 409.',
    ],
    tags,
    access: { scope: 'integrations:write' },
    params: ofReplay,
    responses: shownReplay,
    errors: ['not_found', 'conflict'],
    handler: async (ctx, { params: { inbound_replay_id: id } }) => ({
      status: 200,
      body: await cancelInboundReplay(ctx, id),
    }),
  }),
];
