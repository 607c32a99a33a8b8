import { beforeAll, describe, expect, it } from '@jest/globals';
import { baseUrl, expectError, type Json, useGateway } from '../gateway.ts';
import { makeReceipt } from '../routes.ts';

const gateway = useGateway();
const body = '{"event": "taskUpdated", "task_id": "86abc", "surprise": {"kept": true}}';
let integrationId = '';
let made: string[] = [];
beforeAll(async () => {
  const platform = { type: 'taskplatform', secret: 'a secret of the platform' };
  integrationId = (await gateway.make('/v1/integrations', platform)).id;
  made = [];
  for (let n = 0; n < 3; n += 1) made.unshift(await makeReceipt(gateway, { integrationId, body }));
});

describe('inbound events', () => {
  it('are listed without their bodies and read with them', async () => {
    const { status, body: page } = await gateway.get(`/v1/inbound-events?integration_id=${integrationId}&state=failed`);
    expect([status, page.data.map(({ id }: Json) => id)]).toEqual([200, made]);
    expect(page.pagination).toEqual({ limit: 20, has_more: false, next_cursor: null });
    expect(page.data[0]).toMatchObject({ state: 'failed', reason: 'too_large', body_bytes: body.length });
    expect(page.data[0]).not.toHaveProperty('body');
    const one = await gateway.get(`/v1/inbound-events/${made[0]}`);
    expect([one.status, one.body]).toEqual([200, { ...page.data[0], body, body_reason: null }]);
  });

  it('are paged by their cursor', async () => {
    const ids: string[] = [];
    let after = '';
    for (let page = 0; page < 3; page += 1) {
      const { data, pagination } = (await gateway.get(`/v1/inbound-events?limit=1&after=${after}`)).body;
      ids.push(...data.map(({ id }: Json) => id));
      expect(pagination.has_more).toBe(page < 2);
      after = pagination.next_cursor;
    }
    expect([ids, after]).toEqual([made, null]);
  });

  it.each([
    ['limit=0', 'limit', 'min'],
    ['limit=101', 'limit', 'max'],
    ['after=nonsense', 'after', 'format'],
    ['state=lost', 'state', 'enum'],
    ['source=fax', 'source', 'enum'],
    ['received_after=yesterday', 'received_after', 'format'],
    ['received_before=2026-02-30', 'received_before', 'format'],
    [`external_id=${'x'.repeat(1_025)}`, 'external_id', 'max_length'],
    ['offset=1', 'offset', 'unknown_field'],
    ['state=failed&state=applied', 'state', 'type'],
  ])('are refused for %s', async (query, field, constraint) => {
    const response = await gateway.get(`/v1/inbound-events?${query}`);
    expectError(response, 400, 'invalid_request', { field, constraint });
  });

  it('that do not exist are 404', async () => {
    for (const id of ['nothing', 'inb_01ks0000000000000000000000'])
      expectError(await gateway.get(`/v1/inbound-events/${id}`), 404, 'not_found');
  });
});

describe('a replay of inbound events', () => {
  const cancel = (id: string) => gateway.post(`/v1/inbound-replays/${id}/cancel`, undefined);

  it('of one is visible in its state, and is refused while it waits', async () => {
    const id = await makeReceipt(gateway, { integrationId, body });
    const { status, body: replayed } = await gateway.post(`/v1/inbound-events/${id}/replay`, undefined);
    expect([status, replayed]).toMatchObject([200, { id, state: 'received', reason: null, settled_at: null }]);
    const again = await gateway.post(`/v1/inbound-events/${id}/replay`, undefined);
    expectError(again, 409, 'conflict', { field: 'state', constraint: 'state' });
    expectError(await gateway.post('/v1/inbound-events/nothing/replay', undefined), 404, 'not_found');
  });

  it('by a filter is counted, made, read and cancelled', async () => {
    const filter = { integration_id: integrationId, event: 'taskUpdated' };
    const preview = await gateway.post('/v1/inbound-events/replays', { filter, dry_run: true });
    expect([preview.status, preview.body]).toMatchObject([
      200,
      { total: 3, filter: { state: 'failed', source: null } },
    ]);
    const { status, body: replay, headers } = await gateway.post('/v1/inbound-events/replays', { filter });
    expect([status, replay]).toMatchObject([201, { status: 'running', total: 3, replayed: 0, max_per_second: 50 }]);
    expect(headers.get('location')).toBe(`${baseUrl}/v1/inbound-replays/${replay.id}`);
    expect((await gateway.get(`/v1/inbound-replays/${replay.id}`)).body).toEqual(replay);
    const second = await gateway.post('/v1/inbound-events/replays', { filter });
    expectError(second, 409, 'conflict', { field: '', constraint: 'limit' });
    expect((await cancel(replay.id)).body).toMatchObject({ status: 'cancelled' });
    expectError(await cancel(replay.id), 409, 'conflict', { field: 'status', constraint: 'state' });
    expectError(await cancel('nothing'), 404, 'not_found');
  });

  it.each<[Json, string, string]>([
    [{ filter: { state: 'received' } }, 'filter.state', 'enum'],
    [{ filter: { source: 'fax' } }, 'filter.source', 'enum'],
    [{ filter: { received_after: 'soon' } }, 'filter.received_after', 'format'],
    [{ filter: { surprise: 1 } }, 'filter.surprise', 'unknown_field'],
    [{ filter: { event: 'e'.repeat(256) } }, 'filter.event', 'max_length'],
    [{ max_per_second: 0 }, 'max_per_second', 'min'],
    [{ max_per_second: 501 }, 'max_per_second', 'max'],
    [{ dry_run: 'yes' }, 'dry_run', 'type'],
    [{ filter: { received_after: '2026-11-20', received_before: '2026-11-20' } }, 'filter.received_before', 'min'],
  ])('is refused for %j', async (sent, field, constraint) => {
    const before = await gateway.rows();
    expectError(await gateway.post('/v1/inbound-events/replays', sent), 400, 'invalid_input', { field, constraint });
    expect(await gateway.rows()).toEqual(before);
  });
});
