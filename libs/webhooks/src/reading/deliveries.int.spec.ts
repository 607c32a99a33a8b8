import { pageOf, scopes } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { startWebhookSink, useTestDatabase, type WebhookSink } from '@eas/testing';
import { createLoopbackEgress } from '@eas/testing/egress';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fanOutComments, makeEndpoint, markUp } from '../deliveries/delivery.fixture.ts';
import { sendDeliveries } from '../sending/send-deliveries.ts';
import type { DeliveryFilter } from './delivery.read-model.ts';
import { getDelivery } from './get-delivery.ts';
import { listDeliveries } from './list-deliveries.ts';

const test = useTestDatabase();
const egress = createLoopbackEgress();
let sink: WebhookSink;
let ctx: UseCaseContext;
let endpointId = '';

const send = (eventIds: string[]) =>
  sendDeliveries(
    ctx,
    { tenant_id: ctx.tenantId, endpoint_id: endpointId, event_ids: eventIds },
    { send: egress.send, retry: { scheduleMs: [] } },
  );
const list = (filter: DeliveryFilter = {}, page: { after?: string; limit?: number } = {}) =>
  listDeliveries(ctx, { endpointId, filter }, pageOf({ ...page, sort: '-event_id' }));

beforeAll(async () => {
  sink = await startWebhookSink();
});
afterAll(async () => {
  await egress.close();
  await sink.close();
});
beforeEach(async () => {
  ctx = test.context({ tenantId: await test.createTenant() });
  sink.requests.length = 0;
  endpointId = await makeEndpoint(ctx, `${sink.url}/hook`);
  await markUp(ctx, endpointId);
});

describe('the deliveries of an endpoint', () => {
  it('are listed newest first, by status, type, event and time, and page by page', async () => {
    const other = await makeEndpoint(ctx, `${sink.url}/other`);
    const { eventIds } = await fanOutComments(ctx, 5);
    sink.respondWith({ status: 500, body: 'no' });
    await send(eventIds.slice(0, 2));
    const all = await list();
    expect(all.items.map(({ event_id }) => event_id)).toEqual(eventIds.toReversed());
    expect(all.items[4]).toEqual({
      id: expect.stringMatching(/^dlv_/),
      webhook_id: endpointId,
      event_id: eventIds[0],
      event_type: 'task.commented',
      status: 'dead',
      reason: 'tries_exhausted',
      attempts: 1,
      last_status: 500,
      last_outcome: 'http_5xx',
      next_attempt_at: null,
      created_at: expect.any(String),
      settled_at: expect.any(String),
    });
    const dead = await list({ status: 'dead' });
    expect([dead.total, dead.items]).toEqual([2, all.items.slice(3)]);
    expect((await list({ event_type: 'task.commented' })).total).toBe(5);
    expect((await list({ event_type: 'task.created' })).items).toEqual([]);
    expect((await list({ event_id: eventIds[2] })).items).toEqual([all.items[2]]);
    const at = new Date(all.items[0]?.created_at ?? '');
    const soon = new Date(at.getTime() + 1_000);
    expect((await list({ created_after: at, created_before: soon })).total).toBe(5);
    expect((await list({ created_before: at })).total).toBe(0);
    expect((await list({ created_after: soon })).total).toBe(0);

    const first = await list({}, { after: '', limit: 3 });
    const rest = await list({}, { after: first.nextCursor ?? '', limit: 3 });
    expect([...first.items, ...rest.items]).toEqual(all.items);
    expect(rest.nextCursor).toBeNull();
    expect((await list({}, { after: all.items[2]?.id ?? '' })).items).toEqual(rest.items);
    const foreign = await listDeliveries(ctx, { endpointId: other, filter: {} }, pageOf({ sort: '-event_id' }));
    await expect(list({}, { after: foreign.items[0]?.id ?? '' })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('show each attempt, and what is sent as the receiver gets it', async () => {
    const { eventIds } = await fanOutComments(ctx);
    sink.respondWith({ status: 500, body: 'no', headers: { 'x-why': 'because' } });
    await send(eventIds);
    const { db } = test.database;
    await db.query(
      `UPDATE attempts SET url = 'https://example.com/before', dns_ms = 1, connect_ms = 2, is_response_cut = true,
         response_headers = '{"set-cookie": ["a", "b"], "x-why": "because"}' WHERE tenant_id = $1`,
      [ctx.tenantId],
    );
    await db.query("UPDATE endpoints SET header_names = '{x-mine}' WHERE tenant_id = $1", [ctx.tenantId]);
    const id = (await list()).items[0]?.id ?? '';
    const { history, history_truncated: isCut, request, ...delivery } = await getDelivery(ctx, id, scopes);
    expect(delivery).toEqual((await list()).items[0]);
    expect([history, isCut]).toEqual([
      [
        {
          number: 1,
          started_at: expect.any(String),
          duration_ms: expect.any(Number),
          status: 500,
          outcome: 'http_5xx',
          error: null,
          url: 'https://example.com/before',
          phases: {
            dns_ms: 1,
            connect_ms: 2,
            tls_ms: null,
            first_byte_ms: expect.any(Number),
            body_ms: expect.any(Number),
          },
          response: 'no',
          response_headers: { 'set-cookie': 'a, b', 'x-why': 'because' },
          is_response_cut: true,
        },
      ],
      false,
    ]);
    const [received] = sink.requests;
    expect(received?.headers).toMatchObject(request.headers);
    expect(Object.keys(request.headers)).toHaveLength(4);
    expect(request).toMatchObject({ url: `${sink.url}/hook`, custom_headers: ['x-mine'] });
    expect(request.body).toEqual(JSON.parse(String(received?.body)));
  });

  it('show only the newest attempts', async () => {
    const { eventIds } = await fanOutComments(ctx);
    const attemptsSql = `
      INSERT INTO attempts (tenant_id, event_id, endpoint_id, number, started_at, duration_ms, outcome, response)
      SELECT $1, $2, $3, n, now(), 1, 'http_5xx', repeat('ä', $5) FROM generate_series(1, $4) AS n`;
    await test.database.db.query(attemptsSql, [ctx.tenantId, eventIds[0], endpointId, 60, 1]);
    const id = (await list()).items[0]?.id ?? '';
    const many = await getDelivery(ctx, id, scopes);
    expect(many.history.map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, index) => index + 11));
    expect(many.history_truncated).toBe(true);
    await test.database.db.query('DELETE FROM attempts WHERE tenant_id = $1', [ctx.tenantId]);
    await test.database.db.query(attemptsSql, [ctx.tenantId, eventIds[0], endpointId, 40, 16_384]);
    const large = await getDelivery(ctx, id, scopes);
    expect(large.history.at(-1)?.number).toBe(40);
    expect(JSON.stringify(large.history).length).toBeLessThan(600_000);
    expect(large.history_truncated).toBe(true);
  });

  it('hide payload and responses from callers who may not read the event', async () => {
    const { eventIds } = await fanOutComments(ctx);
    sink.respondWith({ status: 500, body: 'you sent me <b>' });
    await send(eventIds);
    const id = (await list()).items[0]?.id ?? '';
    const seen = await getDelivery(ctx, id, ['webhooks:read']);
    expect(seen.request.body).toBeNull();
    expect(seen.history).toMatchObject([{ status: 500, response: null, response_headers: null }]);
    await test.database.db.query('DELETE FROM events WHERE tenant_id = $1', [ctx.tenantId]);
    const gone = await getDelivery(ctx, id, scopes);
    expect([gone.event_type, gone.request.body]).toEqual([null, null]);
    expect(gone.history).toMatchObject([{ response: 'you sent me <b>' }]);
    expect((await getDelivery(ctx, id, ['webhooks:read'])).history).toMatchObject([{ response: null }]);
  });

  it('are only visible to their tenant', async () => {
    await fanOutComments(ctx);
    const id = (await list()).items[0]?.id ?? '';
    const stranger = test.context({ tenantId: await test.createTenant() });
    await expect(getDelivery(stranger, id, scopes)).rejects.toMatchObject({ code: 'not_found' });
    const theirs = listDeliveries(stranger, { endpointId, filter: {} }, pageOf({ sort: '-event_id' }));
    await expect(theirs).rejects.toMatchObject({ code: 'not_found' });
  });
});
