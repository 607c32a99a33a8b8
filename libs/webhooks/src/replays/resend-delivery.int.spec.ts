import { pageOf } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { startWebhookSink, useTestDatabase, type WebhookSink } from '@eas/testing';
import { createLoopbackEgress } from '@eas/testing/egress';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fanOutComments, makeEndpoint, markUp } from '../deliveries/delivery.fixture.ts';
import { claimDeliveries } from '../deliveries/delivery.store.ts';
import { sendDeliveries } from '../sending/send-deliveries.ts';
import { listDeliveries } from '../reading/list-deliveries.ts';
import { attemptsOf, deliveryStates } from '../../test/delivery-states.ts';
import { resendDelivery } from './resend-delivery.ts';

const test = useTestDatabase();
const egress = createLoopbackEgress();
let sink: WebhookSink;
let ctx: UseCaseContext;
let [endpointId, eventId, deliveryId] = ['', '', ''];

const send = () =>
  sendDeliveries(
    ctx,
    { tenant_id: ctx.tenantId, endpoint_id: endpointId, event_ids: [eventId] },
    { send: egress.send, retry: { scheduleMs: [5_000], random: () => 0 } },
  );
const state = async () => (await deliveryStates(ctx, endpointId))[0];
const change = (sql: string) => test.database.db.query(`${sql} WHERE tenant_id = $1`, [ctx.tenantId]);
const conflict = { code: 'conflict', violations: [{ constraint: 'state' }] };

beforeAll(async () => {
  sink = await startWebhookSink();
});
afterAll(async () => {
  await egress.close();
  await sink.close();
});
beforeEach(async () => {
  ctx = test.context({ tenantId: await test.createTenant() });
  sink.respondWith({ status: 500 });
  endpointId = await makeEndpoint(ctx, `${sink.url}/hook`);
  await markUp(ctx, endpointId);
  eventId = (await fanOutComments(ctx)).eventIds[0] ?? '';
  deliveryId =
    (await listDeliveries(ctx, { endpointId, filter: {} }, pageOf({ sort: '-event_id' }))).items[0]?.id ?? '';
});
afterEach(() => test.shiftClock(0));

describe('resending a delivery', () => {
  it('restarts the schedule of a dead one, and continues the count of its attempts', async () => {
    await send();
    await test.shiftClock(10);
    await send();
    expect(await state()).toMatchObject({ status: 'dead', attempts: 2 });
    const resent = await resendDelivery(ctx, deliveryId);
    expect(resent).toMatchObject({ id: deliveryId, status: 'pending', attempts: 2, settled_at: null });
    await send();
    expect(await state()).toMatchObject({ status: 'pending', attempts: 3 });
    await test.shiftClock(20);
    await send();
    expect(await state()).toMatchObject({ status: 'dead', attempts: 4 });
    expect((await attemptsOf(ctx, endpointId)).map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  });

  it('resends a delivered one, and sends a waiting one at once', async () => {
    sink.respondWith({ status: 200 });
    await send();
    await resendDelivery(ctx, deliveryId);
    sink.respondWith({ status: 500 });
    await send();
    expect(await state()).toMatchObject({ status: 'pending', attempts: 2 });
    expect((await state())?.waitMs).toBeGreaterThan(1_000);
    await resendDelivery(ctx, deliveryId);
    expect((await state())?.waitMs).toBeLessThanOrEqual(0);
  });

  it('holds it for a paused endpoint', async () => {
    await change("UPDATE endpoints SET status = 'paused'");
    expect(await resendDelivery(ctx, deliveryId)).toMatchObject({ status: 'held', next_attempt_at: null });
    expect(await resendDelivery(ctx, deliveryId)).toMatchObject({ status: 'held' });
  });

  it('is refused while a worker sends it, and not any longer', async () => {
    await claimDeliveries(ctx, endpointId, [eventId], 1_000_000);
    await expect(resendDelivery(ctx, deliveryId)).rejects.toMatchObject(conflict);
    await test.shiftClock(31);
    expect(await resendDelivery(ctx, deliveryId)).toMatchObject({ status: 'pending' });
  });

  it.each([
    ['its endpoint is disabled', "UPDATE endpoints SET status = 'disabled'"],
    ['its endpoint is deleted', 'UPDATE endpoints SET deleted_at = app_now()'],
    ['its event is gone', 'DELETE FROM events'],
  ])('is refused when %s', async (_what, sql) => {
    await change(sql);
    await expect(resendDelivery(ctx, deliveryId)).rejects.toMatchObject(conflict);
  });

  it('is only possible for its tenant', async () => {
    const stranger = test.context({ tenantId: await test.createTenant() });
    await expect(resendDelivery(stranger, deliveryId)).rejects.toMatchObject({ code: 'not_found' });
  });
});
