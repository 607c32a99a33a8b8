import { brokenConstraint } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { sweepInboundBodies } from './inbound-body.sweeper.ts';
import { readReceiptSizes } from './inbound-event.store.ts';

const test = useTestDatabase();
let tenantId = '';

const receiveSql = `
  INSERT INTO inbound_events (tenant_id, id, source, integration_ref, event, body, received_at, status, settled_at, outcome)
  SELECT $1, $2 || n, 'taskplatform', 'int_1', 'taskUpdated', '{}', app_now() - interval '100 days', $3,
    app_now() - $4 * interval '1 day', 'done' FROM generate_series(1, $5) AS n`;
const receive = (id: string, status: string, settledDaysAgo: number | null, count = 1) =>
  test.database.db.query(receiveSql, [tenantId, id, status, settledDaysAgo, count]);
const receipts = () =>
  test.database.db.query<{ id: string; status: string; outcome: string; body: string | null }>(
    'SELECT id, status, outcome, body FROM inbound_events WHERE tenant_id = $1 ORDER BY id',
    [tenantId],
  );
const sweep = (signal = new AbortController().signal) => sweepInboundBodies(test.database.db, 30, signal);

beforeEach(async () => {
  await test.database.db.query('TRUNCATE inbound_events');
  tenantId = await test.createTenant();
});

describe('bodies of receipts', () => {
  it('are removed some days after the receipt was settled; the receipt stays with its result', async () => {
    await receive('applied', 'applied', 31);
    await receive('failed', 'failed', 31);
    await receive('quarantined', 'quarantined', 31);
    await receive('recent', 'applied', 29);
    await receive('waiting', 'received', null);
    expect(await sweep()).toBe(3);
    const rest = { outcome: 'done', body: '{}' };
    expect(await receipts()).toEqual([
      { id: 'applied1', status: 'applied', outcome: 'done', body: null },
      { id: 'failed1', status: 'failed', outcome: 'done', body: null },
      { id: 'quarantined1', status: 'quarantined', outcome: 'done', body: null },
      { id: 'recent1', status: 'applied', ...rest },
      { id: 'waiting1', status: 'received', ...rest },
    ]);
    expect(await sweep()).toBe(0);
  });

  it('are removed in batches, once when several processes do it, and no more when the process ends', async () => {
    await receive('inb', 'applied', 31, 500);
    expect(await sweep(AbortSignal.abort())).toBe(0);
    const removed = await Promise.all([sweep(), sweep()]);
    expect(removed.reduce((sum, count) => sum + count, await sweep())).toBe(500);
    expect((await receipts()).every(({ body }) => body === null)).toBe(true);
  });

  it('are needed to apply a receipt again: without one it cannot be set back', async () => {
    await receive('inb', 'failed', 31);
    await sweep();
    const setBack = test.database.db.query(
      "UPDATE inbound_events SET status = 'received', settled_at = NULL WHERE tenant_id = $1",
      [tenantId],
    );
    expect(brokenConstraint(await setBack.catch((error: unknown) => error))).toBe('inbound_events_body_check');
  });

  it('count nothing once they are removed', async () => {
    await receive('inb', 'applied', 31);
    await sweep();
    await test.database.db.query(
      `INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
       VALUES ($1, 'evt_1', 'inbound.received', now(), '{"inbound_event_id": "inb1"}')`,
      [tenantId],
    );
    expect(await readReceiptSizes({ db: test.database.db, tenantId }, ['evt_1'])).toEqual(new Map([['evt_1', 0]]));
  });
});
