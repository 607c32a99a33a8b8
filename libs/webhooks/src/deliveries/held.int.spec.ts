import type { Tx, UseCaseContext } from '@eas/db';
import { rowsReadBy, useTestDatabase } from '@eas/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deleteEndpoint } from '../endpoints/delete-endpoint.ts';
import { disableByHand } from '../endpoints/enable-endpoint.ts';
import type { Target } from '../endpoints/endpoint.read-model.ts';
import { holdEndpoints, releaseEndpoints } from '../endpoints/hold-endpoints.ts';
import { recordAttempts } from '../sending/attempt.store.ts';
import { recordHealth } from '../sending/record-health.ts';
import type { DeliveryAttempt } from '../sending/verdict.ts';
import { fanOutComments, makeAttemptRow, makeEndpoint } from './delivery.fixture.ts';
import { deadLetterHeld, drainHeld, settleDrained } from './held.sweeper.ts';

const test = useTestDatabase();
let ctx: UseCaseContext;
let tenantId = '';

const holdSql = `
  INSERT INTO deliveries (tenant_id, event_id, endpoint_id, id, status, attempts, created_at)
  SELECT $1, 'evt_' || ulid_prefix(now()) || lpad(n::text, 16, '0'), e.id, 'dlv_' || e.id || n, 'held', 0, app_now()
  FROM endpoints e, generate_series(1, $2) AS n WHERE e.tenant_id = $1`;
const pausedSql = `
  INSERT INTO endpoints (tenant_id, id, url, events, secret, status, created_at, updated_at)
  SELECT $1, 'whk_' || n, 'https://example.com', '{*}', '', 'paused', app_now(), app_now() FROM generate_series(1, $2) AS n`;
const setStatusSql = `UPDATE endpoints SET status = $3 WHERE tenant_id = $1 AND id = $2`;

const query = (sql: string, ...values: unknown[]) => test.database.db.query(sql, [tenantId, ...values]);
const sweep = <T>(work: (tx: Tx) => Promise<T>) => test.database.inTransaction('', work);
const states = async () =>
  (
    await test.database.db.query<{ status: string; n: number }>(
      'SELECT status, count(*)::int AS n FROM deliveries WHERE tenant_id = $1 GROUP BY 1 ORDER BY 1',
      [tenantId],
    )
  ).map(({ status, n }) => `${status} ${n}`);
const drains = async (id: string) =>
  (
    await test.database.db.query<{ drains: boolean }>(
      'SELECT drains_since IS NOT NULL AS drains FROM endpoints WHERE tenant_id = $1 AND id = $2',
      [tenantId, id],
    )
  )[0]?.drains;

beforeEach(async () => {
  tenantId = await test.createTenant();
  ctx = test.context({ tenantId });
});

describe('deliveries that are held for paused endpoints', () => {
  it('are not read by the sweeps, however many endpoints have some', async () => {
    await query(pausedSql, 2_000);
    await query(holdSql, 2);
    const rows = await rowsReadBy({ database: test.database, tenantId }, async (scope) => {
      await settleDrained(scope);
      await drainHeld(scope);
      await deadLetterHeld(scope);
    });
    expect((rows['endpoints'] ?? 0) + (rows['deliveries'] ?? 0)).toBeLessThanOrEqual(100);
    expect(await states()).toEqual(['held 4000']);
  });
});

describe('deliveries of a suspended tenant', () => {
  const statusOf = async () =>
    (await query('SELECT status, status_reason AS reason, probe_at FROM endpoints WHERE tenant_id = $1'))[0];

  it('are held, also new ones and whatever running attempts come to, and are due when it is resumed', async () => {
    const endpointId = await makeEndpoint(ctx, 'https://example.com/hook');
    await holdEndpoints(ctx);
    const held = { status: 'paused', reason: 'tenant_suspended', probe_at: null };
    expect(await statusOf()).toEqual(held);
    await fanOutComments(ctx, 2);
    expect(await states()).toEqual(['held 2']);
    const verdict = { state: 'sent', outcome: 'delivered' } as const;
    const attempt = { startedAt: ctx.clock.now(), verdict } as DeliveryAttempt;
    await recordHealth(ctx, { endpointId, target: { failuresInRow: 1, status: 'active' } as Target }, [attempt]);
    expect(await statusOf()).toEqual(held);
    await releaseEndpoints(ctx);
    expect(await statusOf()).toEqual({ status: 'active', reason: null, probe_at: null });
    await sweep(drainHeld);
    expect(await states()).toEqual(['pending 2']);
  });

  it('stay where a person has disabled the webhook', async () => {
    const id = await makeEndpoint(ctx, 'https://example.com/hook');
    await disableByHand(ctx, { id, ifMatch: undefined });
    await holdEndpoints(ctx);
    await releaseEndpoints(ctx);
    expect(await statusOf()).toEqual({ status: 'disabled', reason: 'requested', probe_at: null });
  });
});

describe('deliveries that are held for an endpoint', () => {
  let endpointId = '';
  const hold = (count = 1) => query(holdSql, count);
  const setStatus = (status: string) => query(setStatusSql, endpointId, status);
  beforeEach(async () => {
    endpointId = await makeEndpoint(ctx, 'https://example.com/hook');
    await setStatus('paused');
  });
  afterEach(() => test.shiftClock(0));

  it.each(['active', 'failing'])(
    'are due again once its status is %s, whichever version wrote that',
    async (status) => {
      await hold(2);
      await setStatus(status);
      await sweep(drainHeld);
      expect(await states()).toEqual(['pending 2']);
    },
  );

  it('end when it is disabled or deleted', async () => {
    await hold();
    await setStatus('disabled');
    await sweep(deadLetterHeld);
    expect(await states()).toEqual(['dead 1']);
    await setStatus('paused');
    await fanOutComments(ctx, 2);
    await deleteEndpoint(ctx, { id: endpointId, ifMatch: undefined });
    await sweep(deadLetterHeld);
    expect(await states()).toEqual(['dead 3']);
  });

  it('are not searched while it is paused again', async () => {
    await hold(2);
    await setStatus('failing');
    expect(await drains(endpointId)).toBe(true);
    await setStatus('paused');
    expect(await drains(endpointId)).toBe(false);
  });

  it('are found even if they were held after the pause, by a transaction that began in it', async () => {
    await setStatus('active');
    await test.shiftClock(100);
    await sweep(settleDrained);
    await sweep(drainHeld);
    await hold();
    await sweep(drainHeld);
    expect(await states()).toEqual(['pending 1']);
  });

  it('are searched until two minutes after the last one, however long that takes', async () => {
    await hold(30);
    await setStatus('active');
    for (const seconds of [100, 300, 301]) {
      await test.shiftClock(seconds);
      await sweep(settleDrained);
      await sweep(drainHeld);
    }
    expect([await states(), await drains(endpointId)]).toEqual([['pending 30'], true]);
    await test.shiftClock(419);
    await sweep(settleDrained);
    expect(await drains(endpointId)).toBe(true);
    await test.shiftClock(425);
    await sweep(settleDrained);
    expect(await drains(endpointId)).toBe(false);
  });

  it('are found when an attempt holds one although the endpoint is not paused', async () => {
    await query(pausedSql, 2_000);
    await setStatus('active');
    await test.shiftClock(200);
    await sweep(settleDrained);
    const { eventIds } = await fanOutComments(ctx);
    await query('DELETE FROM deliveries WHERE tenant_id = $1 AND endpoint_id <> $2', endpointId);
    const attempt = makeAttemptRow({ tenantId, endpointId, eventId: eventIds[0] ?? '' });
    const rows = await rowsReadBy({ database: test.database, tenantId }, ({ db }) =>
      recordAttempts(db, [{ ...attempt, delivery_status: 'held', retry_ms: null }]),
    );
    expect(rows['endpoints']).toBeLessThan(10);
    expect(await states()).toEqual(['held 1']);
    await sweep(drainHeld);
    expect(await states()).toEqual(['pending 1']);
  });
});
