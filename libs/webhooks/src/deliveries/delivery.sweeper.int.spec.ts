import type { Send } from '@eas/contracts';
import { useTestDatabase } from '@eas/testing';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fanOutComments, makeEndpoint } from './delivery.fixture.ts';
import { claimDeliveries } from './delivery.store.ts';
import { nextDeliveryAt, sweepDueDeliveries } from './delivery.sweeper.ts';

const db = useTestDatabase();
let tenantId = '';
const context = () => db.context({ tenantId });
const sweep = () => db.database.inTransaction('', sweepDueDeliveries);
const eventsOf = (jobs: Send[]) => jobs.flatMap(({ payload }) => (payload as { event_ids: string[] }).event_ids).sort();

// Time passes only when the test moves it.
beforeAll(() => db.stopClock());
beforeEach(async () => {
  tenantId = await db.createTenant();
});
afterEach(async () => {
  await db.shiftClock(0);
  await db.database.db.query('TRUNCATE deliveries CASCADE');
});

describe('sweep of due deliveries', () => {
  it('ignores deliveries in a job, until the job counts as lost', async () => {
    await makeEndpoint(context(), 'https://example.com');
    const { eventIds } = await fanOutComments(context(), 3);
    expect(await sweep()).toEqual([]);
    await db.shiftClock(16);
    expect(eventsOf(await sweep())).toEqual(eventIds);
    expect(await sweep()).toEqual([]);
  });

  it('has something to do when the next delivery or probe is due, and at once while an endpoint drains', async () => {
    const { db: tables } = context();
    const next = async () => {
      const [row] = await tables.query<{ now: Date }>('SELECT app_now() AS now');
      return ((await nextDeliveryAt(tables))?.getTime() ?? NaN) - (row?.now.getTime() ?? NaN);
    };
    expect(await nextDeliveryAt(tables)).toBeNull();
    const endpointId = await makeEndpoint(context(), 'https://example.com');
    await fanOutComments(context(), 1);
    const setDue = `UPDATE deliveries SET next_attempt_at = app_now() + interval '90 seconds'`;
    const setEndpoint = (what: string) => tables.query(`UPDATE endpoints SET ${what} WHERE id = $1`, [endpointId]);
    await tables.query(setDue);
    expect(await next()).toBe(90_000);
    await setEndpoint(`status = 'paused', probe_at = app_now() + interval '60 seconds'`);
    expect(await next()).toBe(60_000);
    await setEndpoint(`status = 'active', probe_at = NULL, drains_since = app_now()`);
    expect(await next()).toBe(0);
    await setEndpoint('drains_since = NULL');
  });

  it('ignores deliveries that are being sent, until the worker counts as dead', async () => {
    const endpointId = await makeEndpoint(context(), 'https://example.com');
    const { eventIds } = await fanOutComments(context(), 2);
    const claim = () => claimDeliveries(context(), endpointId, eventIds, 1_000_000);
    expect((await claim()).deliveries).toHaveLength(2);
    await db.shiftClock(29);
    expect(await sweep()).toEqual([]);
    expect(await claim()).toMatchObject({ deliveries: [], left: [] });
    await db.shiftClock(31);
    expect(eventsOf(await sweep())).toEqual(eventIds);
    expect((await claim()).deliveries).toHaveLength(2);
  });

  it('makes jobs of one endpoint each, and skips an endpoint that has enough', async () => {
    const busy = await makeEndpoint(context(), 'https://busy.example.com');
    await fanOutComments(context(), 250);
    const other = await makeEndpoint(context(), 'https://other.example.com');
    const { then } = await fanOutComments(context(), 1);
    expect(then.map(({ payload }) => (payload as { endpoint_id: string }).endpoint_id)).toEqual([other]);
    expect(await sweep()).toEqual([]);
    await db.shiftClock(16);
    const jobs = (await sweep()).map(({ payload }) => payload as { endpoint_id: string; event_ids: string[] });
    expect(jobs.filter(({ endpoint_id }) => endpoint_id === other)).toHaveLength(1);
    expect(jobs.filter(({ endpoint_id }) => endpoint_id === busy).map(({ event_ids }) => event_ids.length)).toEqual([
      50, 50, 50, 50,
    ]);
  });

  it('serves tenants in turns: a long backlog of one does not delay another', async () => {
    for (let n = 0; n < 15; n += 1) await makeEndpoint(context(), `https://${n}.example.com`);
    await fanOutComments(context(), 200);
    const other = db.context({ tenantId: await db.createTenant() });
    await makeEndpoint(other, 'https://other.example.com');
    const { eventIds } = await fanOutComments(other, 3);
    await db.shiftClock(16);
    const jobs = await sweep();
    expect(eventsOf(jobs)).toHaveLength(2_000);
    expect(eventsOf(jobs.filter(({ payload }) => payload.tenant_id === other.tenantId))).toEqual(eventIds);
  });

  it('returns each delivery to only one of several sweepers', async () => {
    await makeEndpoint(context(), 'https://example.com');
    const { eventIds } = await fanOutComments(context(), 100);
    await db.shiftClock(16);
    const jobs = (await Promise.all([sweep(), sweep(), sweep(), sweep()])).flat();
    expect(eventsOf(jobs)).toEqual(eventIds);
  });
});
