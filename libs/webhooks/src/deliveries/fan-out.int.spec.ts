import { leastHoldMs, maxHoldMs, useTestDatabase } from '@eas/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { appendHealthEvent } from '../endpoints/endpoint-event.ts';
import { disableByHand } from '../endpoints/enable-endpoint.ts';
import { deliveryStates } from '../../test/delivery-states.ts';
import { fanOutComments, makeEndpoint } from './delivery.fixture.ts';
import { fanOut } from './fan-out.ts';
import { maxInHand, maxQueuedAtOnce } from './sending-limits.ts';

const db = useTestDatabase();
const url = 'https://example.com/hook';
let tenantId = '';
const context = () => db.context({ tenantId });

beforeEach(async () => {
  tenantId = await db.createTenant();
});

describe('fan-out', () => {
  it('makes a delivery and a job for every active endpoint that subscribed', async () => {
    const ctx = context();
    const byName = await makeEndpoint(ctx, url, ['task.commented']);
    const byFamily = await makeEndpoint(ctx, url, ['pr.opened', 'task.*']);
    const another = await makeEndpoint(ctx, url, ['task.created']);
    const disabled = await makeEndpoint(ctx, url);
    await disableByHand(ctx, { id: disabled, ifMatch: undefined });
    const ofStranger = await makeEndpoint(db.context(), url);
    const { eventIds, then } = await fanOutComments(ctx, 3);
    expect(then).toHaveLength(2);
    for (const endpointId of [byName, byFamily]) {
      const payload = { tenant_id: tenantId, endpoint_id: endpointId, event_ids: eventIds };
      expect(then).toContainEqual({ job: 'delivery.send', payload });
      expect(await deliveryStates(ctx, endpointId)).toHaveLength(3);
    }
    expect(await deliveryStates(ctx, another)).toEqual([]);
    expect(await deliveryStates(ctx, disabled)).toEqual([]);
    expect(await deliveryStates(db.context(), ofStranger)).toEqual([]);
  });

  it('changes nothing when it runs again', async () => {
    const ctx = context();
    const endpointId = await makeEndpoint(ctx, url);
    const { eventIds } = await fanOutComments(ctx);
    await fanOut(
      ctx,
      eventIds.map((eventId) => ({ eventId, type: 'task.commented' as const })),
    );
    expect(await deliveryStates(ctx, endpointId)).toHaveLength(1);
  });

  it('sends an event about an endpoint to others, but not to itself', async () => {
    const ctx = context();
    const about = await makeEndpoint(ctx, url);
    const other = await makeEndpoint(ctx, url, ['webhook.*']);
    const endpoint = { id: about, url, status: 'failing', failingSince: ctx.clock.now(), failuresInRow: 10 };
    const eventId = await ctx.inTransaction(async (tx) => {
      appendHealthEvent(tx, { type: 'webhook.failing', endpoint, reason: null, at: ctx.clock.now() });
      return tx.pendingEvents[0]?.event_id ?? '';
    });
    await fanOut(ctx, [{ eventId, type: 'webhook.failing', data: { webhook_id: about } }]);
    expect(await deliveryStates(ctx, about)).toEqual([]);
    expect(await deliveryStates(ctx, other)).toHaveLength(1);
  });

  it('writes nothing without a subscription', async () => {
    expect((await fanOutComments(context(), 2)).then).toEqual([]);
  });

  it("queues deliveries up to an endpoint's limit, and leaves the rest as rows", async () => {
    const ctx = context();
    const endpointId = await makeEndpoint(ctx, url);
    const burst = await fanOutComments(ctx, maxQueuedAtOnce + 30);
    expect(burst.then.map(({ payload }) => (payload as { event_ids: string[] }).event_ids.length)).toEqual([
      50, 50, 50, 50,
    ]);
    const states = await deliveryStates(ctx, endpointId);
    expect(states.filter(({ isInHand }) => !isInHand)).toHaveLength(30);
    expect((await fanOutComments(ctx)).then).toEqual([]);
  });

  it('stops making single jobs for an endpoint that makes no progress', async () => {
    const ctx = context();
    await makeEndpoint(ctx, url);
    let jobs = 0;
    for (let index = 0; index < maxInHand + 5; index += 1) jobs += (await fanOutComments(ctx)).then.length;
    expect(jobs).toBe(maxInHand);
  });

  it('yields the event loop while it writes many deliveries', async () => {
    const ctx = context();
    for (let count = 0; count < 100; count += 1) await makeEndpoint(ctx, `${url}/${count}`);
    const { eventIds } = await fanOutComments(ctx, 500);
    const forget = () => ctx.db.query('DELETE FROM deliveries WHERE tenant_id = $1', [tenantId]);
    const events = eventIds.map((eventId) => ({ eventId, type: 'task.commented' as const }));
    expect(await leastHoldMs(() => fanOut(ctx, events), forget)).toBeLessThanOrEqual(maxHoldMs);
    const [row] = await ctx.db.query<{ count: number }>('SELECT count(*) FROM deliveries WHERE tenant_id = $1', [
      tenantId,
    ]);
    expect(Number(row?.count)).toBe(50_000);
  });
});
