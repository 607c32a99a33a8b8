import { exampleDataOf, publicEventTypes } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { createTestShares } from '@eas/outbound';
import { startWebhookSink, useTestDatabase, type WebhookSink } from '@eas/testing';
import { createLoopbackEgress } from '@eas/testing/egress';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { disableByHand } from '../endpoints/enable-endpoint.ts';
import { getEndpoint } from '../endpoints/get-endpoint.ts';
import { attemptsOf, deliveryStates } from '../../test/delivery-states.ts';
import { makeEndpoint, secret } from '../deliveries/delivery.fixture.ts';
import { createEndpointTesting, testEndpoint } from './test-endpoint.ts';

const db = useTestDatabase();
const egress = createLoopbackEgress();
const testing = createEndpointTesting(egress.send);
/** With a receiver that never responds. */
const impatient = createLoopbackEgress({ headersTimeoutMs: 400 });
let sink: WebhookSink;
let ctx: UseCaseContext;
let id = '';

beforeAll(async () => {
  sink = await startWebhookSink();
});
afterAll(async () => {
  await egress.close();
  await impatient.close();
  await sink.close();
});
beforeEach(async () => {
  ctx = db.context({ tenantId: await db.createTenant() });
  sink.requests.length = 0;
  sink.respondWith({ status: 200, body: 'thanks' });
  id = await makeEndpoint(ctx, `${sink.url}/hook`, ['task.created']);
});

describe('testing an endpoint', () => {
  it.each(publicEventTypes)('sends a signed sample of %s and returns the response', async (eventType) => {
    const result = await testEndpoint(ctx, { id, eventType }, testing);
    expect(result).toEqual({
      event_type: eventType,
      event_id: expect.stringMatching(/^evt_/),
      outcome: 'delivered',
      status: 200,
      duration_ms: expect.any(Number),
      response: 'thanks',
      error: null,
    });
    const [request] = sink.requests;
    if (!request) throw new Error('one request was expected');
    new Webhook(Buffer.from(secret), { format: 'raw' }).verify(request.body, request.headers);
    const example = exampleDataOf(eventType);
    expect(JSON.parse(request.body.toString())).toEqual({
      event_type: eventType,
      event_id: result.event_id,
      timestamp: expect.stringMatching(/Z$/),
      data: 'webhook_id' in example ? { ...example, webhook_id: id } : example,
    });
  });

  it('stores nothing and leaves the endpoint as it is, also when it is disabled', async () => {
    await disableByHand(ctx, { id, ifMatch: undefined });
    const before = await getEndpoint(ctx, id);
    sink.respondWith({ status: 410, body: 'gone\0' });
    const result = await testEndpoint(ctx, { id, eventType: 'ping' }, testing);
    expect(result).toMatchObject({ outcome: 'http_4xx', status: 410, response: 'gone\0' });
    expect(await getEndpoint(ctx, id)).toEqual(before);
    expect(await deliveryStates(ctx, id)).toEqual([]);
    expect(await attemptsOf(ctx, id)).toEqual([]);
    expect(await ctx.db.prisma.event.count({ where: { tenantId: ctx.tenantId, eventType: 'ping' } })).toBe(0);
  });

  it('reports why there was no response', async () => {
    sink.respondWith({ kind: 'hang' });
    const result = await testEndpoint(ctx, { id, eventType: 'ping' }, createEndpointTesting(impatient.send));
    expect(result).toMatchObject({
      outcome: 'timeout_headers',
      status: null,
      response: null,
      error: expect.any(String),
    });
  });

  it('runs a few at a time for a tenant, and releases its slot', async () => {
    const few = { send: egress.send, shares: createTestShares(10, 2) };
    const isRefused = Promise.withResolvers<void>();
    sink.respondWith({ status: 200, after: isRefused.promise });
    const run = () => testEndpoint(ctx, { id, eventType: 'ping' }, few);
    const runs = [run(), run(), run()];
    // Two have their slots until the third is refused.
    await Promise.race(runs.map((one) => one.catch(() => {})));
    isRefused.resolve();
    const results = await Promise.allSettled(runs);
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.map(({ reason }) => reason)).toEqual([
      expect.objectContaining({ code: 'conflict', violations: [{ field: '', constraint: 'limit' }] }),
    ]);
    sink.respondWith({ status: 200 });
    const delivered = expect.objectContaining({ outcome: 'delivered' });
    expect(await Promise.all([run(), run()])).toEqual([delivered, delivered]);
  });

  it('does not find an unknown endpoint', async () => {
    const missing = testEndpoint(ctx, { id: 'whk_none', eventType: 'ping' }, testing);
    await expect(missing).rejects.toMatchObject({ code: 'not_found' });
  });
});
