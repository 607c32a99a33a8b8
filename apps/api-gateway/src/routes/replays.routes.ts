import {
  createReplayBody,
  idOutput,
  listBody,
  pageOf,
  replayList,
  replayListQuery,
  replayPreview,
  replayResource,
} from '@eas/contracts';
import { defineRoute } from '@eas/http';
import { cancelReplay, createReplay, getReplay, listReplays, previewReplay } from '@eas/webhooks';
import { z } from 'zod';

const tags = ['Webhooks'] as const;
const params = z.object({ replay_id: idOutput });
/** As all routes of a webhook describe it. */
const ofWebhook = z.object({ webhook_id: z.string().max(64) });
const shown = { 200: { description: 'The replay.', schema: replayResource } } as const;

export const replayRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/replays',
    operationId: 'createReplay',
    summary: 'Replay deliveries',
    description: [
      'Sends deliveries of a webhook again, at most `max_per_second`. Use it after a receiver lost events or was down for longer than the retries last. By default the dead deliveries are sent again.',
      'With `dry_run` the response is 200 with the number of deliveries, and nothing is sent. Otherwise the replay runs in the background: read it to follow its progress.',
      'Each delivery begins its retries again, as with `resendDelivery`. Deliveries that are being sent are skipped. One replay of a webhook runs at a time, and 10 of a tenant.',
    ],
    tags,
    access: { scope: 'webhooks:write' },
    params: ofWebhook,
    body: createReplayBody,
    responses: {
      200: { description: 'What would be sent again: the request had `dry_run`.', schema: replayPreview },
      201: {
        description: 'The replay.',
        schema: replayResource,
        headers: { Location: 'Path of the created resource.' },
      },
    },
    errors: ['invalid_input', 'not_found', 'conflict'],
    handler: async (ctx, { params: { webhook_id: endpointId }, body }) => {
      if (body.dry_run) return { status: 200, body: await previewReplay(ctx, { endpointId, body }) };
      const replay = await createReplay(ctx, { endpointId, body });
      return { status: 201, body: replay, headers: { Location: `/v1/replays/${replay.id}` } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}/replays',
    operationId: 'listReplays',
    summary: 'List replays',
    description: ['Returns a page of the replays of a webhook.'],
    tags,
    access: { scope: 'webhooks:read' },
    params: ofWebhook,
    query: replayListQuery,
    responses: { 200: { description: 'A page of replays, newest first by default.', schema: replayList } },
    errors: ['invalid_request', 'not_found'],
    handler: async (ctx, { params: { webhook_id: endpointId }, query: { limit, offset, after, sort, ...filter } }) => {
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listBody(page, await listReplays(ctx, { endpointId, filter }, page)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/replays/{replay_id}',
    operationId: 'getReplay',
    summary: 'Get a replay',
    description: ['Returns a replay. Use it to see how far the replay has come.'],
    tags,
    access: { scope: 'webhooks:read' },
    params,
    responses: shown,
    errors: ['not_found'],
    handler: async (ctx, { params: { replay_id: id } }) => ({ status: 200, body: await getReplay(ctx, id) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/replays/{replay_id}/cancel',
    operationId: 'cancelReplay',
    summary: 'Cancel a replay',
    description: [
      'Stops a running replay. Deliveries that are due already are still sent. If the replay has ended, the response is 409.',
    ],
    tags,
    access: { scope: 'webhooks:write' },
    params,
    responses: shown,
    errors: ['not_found', 'conflict'],
    handler: async (ctx, { params: { replay_id: id } }) => ({ status: 200, body: await cancelReplay(ctx, id) }),
  }),
];
