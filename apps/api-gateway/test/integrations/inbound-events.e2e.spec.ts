import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';
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
