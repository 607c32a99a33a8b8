import type { InboundEventListQuery } from '@eas/contracts';
import { newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { inboundScene } from './inbound-scene.ts';
import { getInboundEvent, listInboundEvents } from '@eas/receiving';

const test = useTestDatabase();
const secret = 'a secret of this platform';
let ctx: UseCaseContext;
let integrationId = '';
beforeEach(async () => {
  ctx = test.context({ tenantId: await test.createTenant() });
  const { integration } = await scene().connect(ctx.tenantId, { type: 'taskplatform', secret });
  integrationId = integration.id;
});

const scene = () => inboundScene(test);
const send = (body: object) => scene().sendPlatform(body, { secret, to: integrationId });
const list = (query: InboundEventListQuery = {}) => listInboundEvents(ctx, query);
const events = async (query: InboundEventListQuery = {}) => (await list(query)).data.map(({ event }) => event);

const receiptsSql = `
  INSERT INTO inbound_events (tenant_id, id, source, integration_ref, event, external_id, body, received_at, status,
    settled_at, outcome)
  SELECT $1, 'inb_' || ulid_prefix(now()) || lpad(n::text, 16, '0'), 'taskplatform', $2, 'taskUpdated', n::text, '{}',
    now(), 'applied', now(), 'created tsk_1' FROM generate_series(1, $3) AS n`;

describe('inbound events', () => {
  it('are listed newest first, with what became of each and why', async () => {
    const bodies = [
      { event: 'taskCreated', task_id: 't1', data: { name: 'One' } },
      { event: 'folderUpdated', folder_id: 'f1', data: {} },
      { event: 'taskUpdated', task_id: 't1', history_items: Array.from({ length: 501 }, (_, n) => ({ id: `h${n}` })) },
      { event: 'taskTeleported', task_id: 't1', history_items: [{ id: 'h1' }] },
    ];
    for (const body of bodies) await send(body);
    await send(bodies[3] as object);
    expect((await list()).data.map(({ state }) => state)).toEqual(['quarantined', 'received', 'received', 'received']);
    await scene().apply(ctx.tenantId);
    const { data, pagination } = await list();
    expect(pagination).toEqual({ limit: 20, has_more: false, next_cursor: null });
    expect(data).toMatchObject([
      { event: 'taskTeleported', state: 'quarantined', reason: 'unknown_event', repeats: 1 },
      { event: 'taskUpdated', state: 'failed', reason: 'too_large', detail: 'too_large: 501 history items, limit 500' },
      { event: 'folderUpdated', external_id: 'f1', reason: null },
      { event: 'taskCreated', external_id: 't1', state: 'applied', reason: null, repeats: 0 },
    ]);
    expect(data[3]).toEqual({
      id: expect.stringMatching(/^inb_/),
      integration_id: integrationId,
      source: 'taskplatform',
      event: 'taskCreated',
      external_id: 't1',
      state: 'applied',
      reason: null,
      detail: expect.stringMatching(/^created tsk_/),
      received_at: expect.stringMatching(/Z$/),
      settled_at: expect.stringMatching(/Z$/),
      repeats: 0,
      body_bytes: JSON.stringify(bodies[0]).length,
    });
  });

  it('are read with the body as it came, whatever it has', async () => {
    const raw = Buffer.from(
      '{ "event":"taskCreated",\n "task_id":"t1", "extra": {"n": 1.00, "ü": ["x"]}, "a":1, "a":2 }',
    );
    await scene().sendPlatform(raw, { secret, to: integrationId });
    const [found] = (await list()).data;
    const detail = await getInboundEvent(ctx, found?.id ?? '');
    expect(detail).toEqual({ ...found, body: raw.toString(), body_reason: null });
    expect(detail.body_bytes).toBe(raw.length);
    await test.database.db.query(
      `UPDATE inbound_events SET body = NULL, status = 'applied', settled_at = now() WHERE tenant_id = $1`,
      [ctx.tenantId],
    );
    expect(await getInboundEvent(ctx, found?.id ?? '')).toMatchObject({
      body: null,
      body_reason: 'retention',
      body_bytes: null,
    });
  });

  it('that came without a signature name no integration', async () => {
    ctx = test.context();
    await scene().sendPlatform({ event: 'taskCreated', task_id: 'unsigned' }, { takesUnsigned: true });
    const [found] = (await list({ integration_id: 'unsigned' })).data;
    expect(found).toMatchObject({ integration_id: null, external_id: 'unsigned' });
  });

  it('are those of the tenant alone', async () => {
    await send({ event: 'taskCreated', task_id: 't1' });
    const [found] = (await list()).data;
    const stranger = test.context({ tenantId: await test.createTenant() });
    expect((await listInboundEvents(stranger, {})).data).toEqual([]);
    await expect(getInboundEvent(stranger, found?.id ?? '')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are filtered by each of their fields', async () => {
    await send({ event: 'taskCreated', task_id: 't1' });
    await scene().apply(ctx.tenantId);
    await send({ event: 'taskTeleported', task_id: 't2' });
    await send({ event: 'listUpdated', list_id: 'l1' });
    expect(await events({ state: 'applied' })).toEqual(['taskCreated']);
    expect(await events({ state: 'quarantined' })).toEqual(['taskTeleported']);
    expect(await events({ state: 'received' })).toEqual(['listUpdated']);
    expect(await events({ event: 'listUpdated' })).toEqual(['listUpdated']);
    expect(await events({ external_id: 't1' })).toEqual(['taskCreated']);
    expect(await events({ external_id: 't1', state: 'failed' })).toEqual([]);
    expect(await events({ source: 'sourcehost' })).toEqual([]);
    expect(await events({ integration_id: integrationId, source: 'taskplatform' })).toHaveLength(3);
    expect(await events({ integration_id: newId('integration') })).toEqual([]);
    const [newest, , oldest] = (await list()).data;
    const [from, to] = [new Date(oldest?.received_at ?? ''), new Date(newest?.received_at ?? '')];
    const afterwards = new Date(to.getTime() + 1);
    expect(await events({ received_after: from, received_before: afterwards })).toHaveLength(3);
    expect(await events({ received_before: from })).toEqual([]);
    expect(await events({ received_after: afterwards })).toEqual([]);
  });

  it('are paged without gap or repeat while new ones arrive', async () => {
    for (let n = 0; n < 5; n += 1) await send({ event: 'taskUpdated', task_id: `t${n}` });
    const seen: (string | null)[] = [];
    let after: string | undefined = '';
    while (after !== undefined) {
      const { data, pagination } = await list({ limit: 2, after });
      seen.push(...data.map(({ external_id: id }) => id));
      expect(pagination.has_more).toBe(pagination.next_cursor !== null);
      after = pagination.next_cursor ?? undefined;
      await send({ event: 'taskUpdated', task_id: 'later' });
    }
    expect(seen).toEqual(['t4', 't3', 't2', 't1', 't0']);
  });

  it('are paged on where a filter matches nothing among those that one page looks at', async () => {
    const { db } = test.database;
    await db.query(receiptsSql, [ctx.tenantId, integrationId, 20_500]);
    let pages = 0;
    let after: string | null = '';
    const found: (string | null)[] = [];
    for (; after !== null; pages += 1) {
      const { data, pagination } = await list({ event: 'taskUpdated', state: 'ignored', after });
      found.push(...data.map(({ external_id: id }) => id));
      after = pagination.next_cursor;
      if (pages === 0) await db.query(`UPDATE inbound_events SET status = 'ignored' WHERE external_id = '1'`);
    }
    expect([pages, found]).toEqual([3, ['1']]);
  });

  it.each(['nonsense', 'tsk_01ks0000000000000000000000'])('refuse %j as a cursor', async (after) => {
    await expect(list({ after })).rejects.toMatchObject({
      code: 'invalid_request',
      violations: [{ field: 'after', constraint: 'format' }],
    });
  });
});
