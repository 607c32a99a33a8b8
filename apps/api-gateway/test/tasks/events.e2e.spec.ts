import { append, type NewEvent } from '@eas/db';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';
import { numberEvents } from '../relay.ts';

const gateway = useGateway();
const tenant = { id: '', key: '' };
const all = ['events:read', 'tasks:read', 'integrations:read'] as const;

async function appendTo(tenantId: string, ...events: NewEvent[]): Promise<void> {
  await gateway.test.database.inTransaction(tenantId, async (tx) => events.forEach((event) => append(tx, event)));
  await numberEvents(gateway.test);
}

const commented = (content: string): NewEvent => ({
  type: 'task.commented',
  at: new Date('2026-11-20T10:00:00.120Z'),
  data: { task_id: 'tsk_1', title: 't', content, author: 'usr_1' },
  facts: null,
});
const opened: NewEvent = {
  type: 'pr.opened',
  at: new Date('2026-11-20T11:00:00Z'),
  data: { repository: 'o/r', number: 1, title: 't', url: 'u', author: 'a', branch: 'b', task_id: null },
  facts: null,
};
const received: NewEvent = {
  type: 'inbound.received',
  at: new Date(),
  data: { inbound_event_id: 'inb_1' },
  facts: null,
};

const deferred = () => Promise.withResolvers<void>();
const list = async (query = '', key = tenant.key) => (await gateway.get(`/v1/events?${query}`, { key })).body;

beforeAll(async () => {
  tenant.id = await gateway.test.createTenant();
  tenant.key = await gateway.makeKey(all, { tenantId: tenant.id });
  await appendTo(tenant.id, commented('one'), opened, received, commented('two'), commented('three'));
});

describe('GET /v1/events', () => {
  it('shows public events as they are delivered, newest first', async () => {
    const body = await list();
    const id = expect.stringMatching(/^evt_[0-9a-z]{26}$/);
    const comment = (content: string) => ({
      event_type: 'task.commented',
      event_id: id,
      timestamp: '2026-11-20T10:00:00.120Z',
      data: commented(content).data,
    });
    const pr = { event_type: 'pr.opened', event_id: id, timestamp: '2026-11-20T11:00:00Z', data: opened.data };
    expect(body).toEqual({
      data: [comment('three'), comment('two'), pr, comment('one')],
      metadata: { total: 4, limit: 20, offset: 0 },
    });
    for (const event of body.data)
      expect((await gateway.get(`/v1/events/${event.event_id}`, { key: tenant.key })).body).toEqual(event);
  });

  it('leaves out the families that the key may not read, by list, cursor and id', async () => {
    const [pr] = (await list('event_type=pr.opened')).data;
    const key = await gateway.makeKey(['events:read', 'tasks:read'], { tenantId: tenant.id });
    expect((await list('', key)).metadata.total).toBe(3);
    expect((await list('event_type=pr.opened', key)).data).toEqual([]);
    expectError(await gateway.get(`/v1/events/${pr.event_id}`, { key }), 404, 'not_found');
    const bad = { field: 'after', constraint: 'format' };
    expectError(await gateway.get(`/v1/events?after=${pr.event_id}`, { key }), 400, 'invalid_request', bad);
    const none = await gateway.makeKey(['events:read'], { tenantId: tenant.id });
    expect((await list('', none)).metadata.total).toBe(0);
  });

  it('never shows an internal event', async () => {
    const sql = "SELECT event_id AS id FROM events WHERE tenant_id = $1 AND event_type = 'inbound.received'";
    const [internal] = await gateway.test.database.db.query<{ id: string }>(sql, [tenant.id]);
    expectError(await gateway.get(`/v1/events/${internal?.id}`, { key: tenant.key }), 404, 'not_found');
    expect((await list('event_type=inbound.received')).data).toEqual([]);
  });

  it('filters and sorts by every scalar field', async () => {
    const every = (await list('sort=event_id')).data as Json[];
    for (const field of ['event_id', 'event_type', 'timestamp']) {
      const { [field]: value } = every[0];
      const found = (await list(`sort=event_id&${new URLSearchParams({ [field]: value })}`)).data;
      expect([field, found]).toEqual([field, every.filter((event) => event[field] === value)]);
      const up = (await list(`sort=${field}`)).data as Json[];
      expect([field, up.map((event) => event[field])]).toEqual([field, every.map((event) => event[field]).toSorted()]);
      expect((await list(`sort=-${field}`)).data).toEqual(up.toReversed());
    }
  });

  it('pages by cursor while events come', async () => {
    const tenantId = await gateway.test.createTenant();
    const key = await gateway.makeKey(all, { tenantId });
    await appendTo(tenantId, ...['a', 'b', 'c', 'd', 'e'].map(commented));
    const before = (await list('', key)).data as Json[];
    const seen: Json[] = [];
    let after: string | null = '';
    while (after !== null) {
      const page: Json = await list(`limit=2&after=${after}`, key);
      seen.push(...page.data);
      after = page.pagination.next_cursor;
      await appendTo(tenantId, commented('later'));
    }
    expect(seen).toEqual(before);
  });

  it('shows a reader every event, also one whose transaction began first and was committed last', async () => {
    const tenantId = await gateway.test.createTenant();
    const key = await gateway.makeKey(all, { tenantId });
    const [appended, released] = [deferred(), deferred()];
    const late = gateway.test.database.inTransaction(tenantId, async (tx) => {
      append(tx, commented('late'));
      appended.resolve();
      await released.promise;
    });
    await appended.promise;
    await appendTo(tenantId, commented('first'));
    const [first] = (await list('sort=event_id', key)).data;
    released.resolve();
    await late;
    expect((await list(`sort=event_id&after=${first.event_id}`, key)).data).toEqual([]);
    await numberEvents(gateway.test);
    const { data } = await list(`sort=event_id&after=${first.event_id}`, key);
    expect(data.map((event: Json) => event.data.content)).toEqual(['late']);
    expect(data[0].event_id < first.event_id).toBe(true);
    expect((await list('', key)).data).toEqual([data[0], first]);
  });

  it('knows nothing of another tenant', async () => {
    const [event] = (await list()).data;
    expectError(await gateway.get(`/v1/events/${event.event_id}`), 404, 'not_found');
    expectError(await gateway.get('/v1/events/nonsense'), 404, 'not_found');
  });
});
