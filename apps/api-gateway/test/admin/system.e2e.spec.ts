import { createUser } from '@eas/access';
import { scopes, systemState } from '@eas/contracts';
import { append, createTenantLoads, recordLoads } from '@eas/db';
import { queuesOnUse } from '@eas/queue';
import { silentLogger } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { inBrowser, visitAs } from '../chromium.ts';
import { expectError, useGateway } from '../gateway.ts';

const path = '/admin/api/system';
const dead = `${path}/dead-events`;
const gateway = useGateway();

/** Events that a consumer gave up on, of a tenant of their own. */
async function makeDead(count: number): Promise<{ tenant_id: string; event_id: string; consumer: string }[]> {
  const ctx = gateway.test.context({ tenantId: await gateway.test.createTenant() });
  const data = { inbound_event_id: 'inb_1' };
  const ids = await ctx.inTransaction(async (tx) =>
    Array.from({ length: count }, () =>
      append(tx, { type: 'inbound.received', at: ctx.clock.now(), data, facts: null }),
    ),
  );
  const sql = `UPDATE outbox SET dead_at = app_now(), attempts = 10, last_error = 'no' WHERE tenant_id = $1`;
  await ctx.db.query(sql, [ctx.tenantId]);
  return ids.map((id) => ({ tenant_id: ctx.tenantId, event_id: id, consumer: 'inbound.apply' }));
}

describe('the state of the system', () => {
  it('has versions, pending events, and the queues', async () => {
    await makeDead(2);
    const { status, body } = await gateway.get(path);
    expect(status).toBe(200);
    expect(body.versions).toMatchObject({ service: '1.2.3', node: process.versions.node, queue_store: 'postgres' });
    expect(body.versions.postgres).toMatch(/^\d+/);
    expect(body.versions.schema).toMatch(/^\d{14}_/);
    expect(body.outbox.dead).toBeGreaterThanOrEqual(2);
    const none = { waiting: 0, active: 0, delayed: 0, failed: 0 };
    expect(body.queues).toEqual(
      expect.arrayContaining(['workflow', 'webhooks', 'analytics'].map((name) => ({ name, ...none }))),
    );
  });

  it('has the tenants that most was done for in the last hour', async () => {
    const { database } = gateway.test;
    const loads = createTenantLoads();
    const ids: string[] = [];
    for (let calls = 1; calls <= 12; calls += 1) {
      ids.push(await gateway.test.createTenant());
      loads.add(ids.at(-1) ?? '', { calls, databaseMs: 50, bytes: 65_536, received: 1, attempts: 1 });
    }
    await recordLoads(database.db, loads);
    await database.db.query(
      `INSERT INTO tenant_loads VALUES ($1, now() - interval '61 minutes', 9999, 9999, 9999, 9999, 9999)`,
      [ids[0]],
    );
    const { loudest_tenants: loudest } = (await gateway.get(path)).body;
    expect(loudest.map(({ tenant_id: id }: { tenant_id: string }) => id)).toEqual(ids.slice(2).reverse());
    expect(loudest[0]).toEqual({
      tenant_id: ids[11],
      slug: ids[11]?.slice(-12),
      name: ids[11],
      share: 16 / (78 + 4 * 12),
      calls: 12,
      database_ms: 50,
      bytes: 65_536,
      received_webhooks: 1,
      delivery_attempts: 1,
    });
  });

  it('is not available for other tenants or other scopes', async () => {
    const others = [
      await gateway.makeKey(['admin'], { tenantId: await gateway.test.createTenant() }),
      await gateway.makeKey(['tasks:read', 'events:read']),
    ];
    const [event] = await makeDead(1);
    for (const key of others) {
      for (const response of [
        await gateway.get(path, { key }),
        await gateway.get(dead, { key }),
        await gateway.post(`${dead}/retry`, { events: [event] }, { key }),
      ])
        expectError(response, 403, 'forbidden');
    }
    const { data } = (await gateway.get(`${dead}?limit=100`)).body;
    expect(data).toContainEqual(expect.objectContaining(event ?? {}));
  });
});

describe('the state of a system without its queue store', () => {
  const away = queuesOnUse({
    redisUrl: 'redis://127.0.0.1:1',
    databaseUrl: 'postgresql://eas:eas@127.0.0.1:1/none',
    logger: silentLogger,
  });
  const broken = useGateway({ queues: { open: () => away.open(), close: () => away.close() } });

  it('is shown without the queues', async () => {
    const { status, body } = await broken.get(path);
    expect([status, body.queues]).toEqual([200, null]);
    expect(systemState.parse(body).versions.postgres).toMatch(/^\d+/);
  });
});

describe('dead events', () => {
  it('are listed in pages, the latest first', async () => {
    const made = await makeDead(5);
    const first = (await gateway.get(`${dead}?limit=3`)).body;
    expect(first.pagination).toMatchObject({ limit: 3, has_more: true });
    const second = (await gateway.get(`${dead}?limit=3&after=${first.pagination.next_cursor}`)).body;
    const listed = [...first.data, ...second.data].slice(0, 5).map(({ event_id: id }) => id);
    expect(listed.sort()).toEqual(made.map(({ event_id: id }) => id).sort());
    expect(first.data[0]).toMatchObject({ event_type: 'inbound.received', attempts: 10, last_error: 'no' });
  });

  it.each(['nonsense', 'W10', Buffer.from('["x","a","b","c"]').toString('base64url')])(
    'refuse the cursor %s',
    async (after) => {
      const details = { field: 'after', constraint: 'format' };
      expectError(await gateway.get(`${dead}?after=${after}`), 400, 'invalid_request', details);
    },
  );

  it('are pending again when they are retried, once, with an entry in the audit log', async () => {
    const [event, other] = await makeDead(2);
    const retry = () => gateway.post(`${dead}/retry`, { events: [event] });
    expect((await retry()).body).toEqual({ retried: 1, has_more: true });
    expect((await retry()).body).toMatchObject({ retried: 0 });
    const sql = `SELECT event_id FROM outbox WHERE tenant_id = $1 AND dead_at IS NULL AND sent_at IS NULL AND attempts = 0`;
    const pending = await gateway.test.database.db.query(sql, [event?.tenant_id]);
    expect(pending).toEqual([{ event_id: event?.event_id }]);
    const { data } = (await gateway.get('/admin/api/audit?action=dead_events.retried')).body;
    expect(data.map((entry: { data: object }) => entry.data)).toEqual([{ count: 1, event_ids: [event?.event_id] }]);
    expect((await gateway.get(`${dead}?limit=100`)).body.data).toContainEqual(expect.objectContaining(other ?? {}));
  });

  it('are all retried if no ID is given', async () => {
    await makeDead(3);
    const { body } = await gateway.post(`${dead}/retry`, {});
    expect(body.retried).toBeGreaterThanOrEqual(3);
    expect(body.has_more).toBe(false);
    expect((await gateway.get(dead)).body.data).toEqual([]);
  });
});

describe('the page of the system', () => {
  inBrowser('shows a dead event as text, and retries it after it has asked', async () => {
    const person = { email: 'operator@example.com', password: 'a few words in a row' };
    const body = { ...person, name: 'Ada', scopes: [...scopes] };
    await createUser(gateway.test.context(), { body, scopes });
    const [event] = await makeDead(1);
    const sql = 'UPDATE outbox SET last_error = $2 WHERE event_id = $1';
    await gateway.test.database.db.query(sql, [event?.event_id, '<img src=x onerror=alert(1)>']);
    const visit = { address: gateway.address(), path: '/admin/system' };
    const complaints = await visitAs([person], visit, async (page) => {
      await page.getByRole('link', { name: 'inbound.received' }).click();
      await page.waitForURL(/event=evt_/);
      await page.reload();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('<img src=x onerror=alert(1)>').waitFor();
      await dialog.getByRole('button', { name: 'Retry the event' }).click();
      await page.getByText('1 retried').waitFor();
      await page.getByText('No dead events').waitFor();
      await makeDead(2);
      await page.keyboard.press('r');
      await page.getByRole('button', { name: 'Retry all' }).click();
      await page.getByRole('button', { name: 'Retry the events' }).click();
      await page.getByText('2 retried').waitFor();
      await page.getByText('No dead events').waitFor();
    });
    expect(complaints).toEqual([]);
    expect((await gateway.get(dead)).body.data).toEqual([]);
  });
});
