import { type CreateReplayBody, pageOf } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fanOutComments, makeEndpoint } from '../deliveries/delivery.fixture.ts';
import { claimDeliveries } from '../deliveries/delivery.store.ts';
import { cancelReplay } from './cancel-replay.ts';
import { createReplay, previewReplay } from './create-replay.ts';
import { getReplay } from './get-replay.ts';
import { listReplays } from './list-replays.ts';
import { sweepReplay } from './replay.sweeper.ts';

const test = useTestDatabase();
let ctx: UseCaseContext;
let endpointId = '';
let eventIds: string[] = [];

const body = ({ filter, ...rest }: Partial<CreateReplayBody> = {}): CreateReplayBody => ({
  filter: { statuses: ['dead'], ...filter },
  max_per_second: 50,
  dry_run: false,
  ...rest,
});
const create = (options?: Partial<CreateReplayBody>) => createReplay(ctx, { endpointId, body: body(options) });
const count = async (filter: Partial<CreateReplayBody['filter']>) =>
  (await previewReplay(ctx, { endpointId, body: body({ filter: { statuses: ['dead'], ...filter } }) })).total;
const sweep = () => test.database.inTransaction('', sweepReplay);
const change = (set: string, ids = eventIds) =>
  test.database.db.query(`UPDATE deliveries SET ${set} WHERE tenant_id = $1 AND event_id = ANY ($2)`, [
    ctx.tenantId,
    ids,
  ]);
const deadLettered = "status = 'dead', next_attempt_at = NULL, attempts = 10, settled_at = app_now()";
/** Events of the deliveries of a status, with what a replay changes. */
const those = (status: string, replayId?: string) =>
  ctx.db.prisma.delivery
    .findMany({ where: { tenantId: ctx.tenantId, endpointId, status, ...(replayId ? { replayId } : {}) } })
    .then((rows) => rows.map(({ eventId }) => eventId).sort());
const refusal = (constraint: string, field = '') => ({ violations: [expect.objectContaining({ field, constraint })] });

beforeEach(async () => {
  ctx = test.context({ tenantId: await test.createTenant() });
  endpointId = await makeEndpoint(ctx, 'https://example.com');
  eventIds = (await fanOutComments(ctx, 10)).eventIds;
  await change(deadLettered);
  // From here on a second passes only when the test moves the clock.
  await test.stopClock();
});
afterEach(async () => {
  await test.database.db.query('TRUNCATE replays');
  await test.startClock();
});

describe('a replay', () => {
  it('makes deliveries due at its rate, in the order of their events, and completes', async () => {
    const replay = await create({ max_per_second: 4 });
    expect(replay).toEqual({
      id: expect.stringMatching(/^rpl_/),
      webhook_id: endpointId,
      status: 'running',
      filter: { from: null, to: null, event_types: null, statuses: ['dead'] },
      max_per_second: 4,
      total: 10,
      replayed: 0,
      created_by: 'system',
      created_at: expect.any(String),
      updated_at: replay.created_at,
      finished_at: null,
    });
    expect(await sweep()).toBe(4);
    expect(await sweep()).toBeUndefined();
    expect(await those('pending', replay.id)).toEqual(eventIds.slice(0, 4));
    await test.shiftClock(2);
    expect(await sweep()).toBe(4);
    expect(await getReplay(ctx, replay.id)).toMatchObject({ status: 'running', replayed: 8, finished_at: null });
    await test.shiftClock(4);
    expect(await sweep()).toBe(2);
    await test.shiftClock(6);
    expect(await sweep()).toBeUndefined();
    const done = await getReplay(ctx, replay.id);
    expect(done).toMatchObject({ status: 'completed', replayed: 10, finished_at: expect.any(String) });
    expect(await those('pending')).toEqual(eventIds);
    const [delivery] = await ctx.db.prisma.delivery.findMany({ where: { tenantId: ctx.tenantId }, take: 1 });
    expect(delivery).toMatchObject({ attempts: 10, triesFrom: 10, settledAt: null, reason: null });
  });

  it('chooses by status, type and time, and counts before it begins', async () => {
    await change("status = 'delivered'", eventIds.slice(0, 2));
    await change("status = 'held'", eventIds.slice(2, 3));
    expect(await count({})).toBe(7);
    expect(await count({ statuses: ['delivered', 'held'] })).toBe(3);
    expect(await count({ event_types: ['task.created', 'pr.*'] })).toBe(0);
    expect(await count({ event_types: ['task.*'] })).toBe(7);
    const now = ctx.clock.now().getTime();
    const [before, after] = [new Date(now - 60_000), new Date(now + 60_000)];
    expect(await count({ from: before, to: after })).toBe(7);
    expect(await count({ to: before })).toBe(0);
    expect(await count({ from: after })).toBe(0);
    await test.database.db.query('DELETE FROM events WHERE tenant_id = $1 AND event_id = $2', [
      ctx.tenantId,
      eventIds[9],
    ]);
    expect(await count({})).toBe(6);
    expect(await those('pending')).toEqual([]);
    const { id, total } = await create({
      filter: { statuses: ['delivered', 'dead'], event_types: ['task.commented'] },
    });
    expect(total).toBe(8);
    expect(await sweep()).toBe(8);
    expect(await those('pending', id)).toEqual([...eventIds.slice(0, 2), ...eventIds.slice(3, 9)]);
    expect(await getReplay(ctx, id)).toMatchObject({ status: 'completed' });
  });

  it('ignores deliveries that a worker is sending, and those after its creation', async () => {
    await change("status = 'pending', next_attempt_at = app_now(), settled_at = NULL, queued_until = NULL");
    await claimDeliveries(ctx, endpointId, eventIds.slice(0, 3), 1_000_000);
    const { id } = await create({ filter: { statuses: ['pending'] } });
    expect(await sweep()).toBe(7);
    expect(await those('pending', id)).toEqual(eventIds.slice(3));
  });

  it('repeats and loses nothing when two workers run it or its worker dies', async () => {
    const { id } = await create({ max_per_second: 3 });
    const dies = test.database.inTransaction('', async (tx) => {
      await sweepReplay(tx);
      // A reader that skipped this one's work would lose it now.
      expect(await sweep()).toBeUndefined();
      throw new Error('killed');
    });
    await expect(dies).rejects.toThrow('killed');
    expect(await getReplay(ctx, id)).toMatchObject({ replayed: 0 });
    for (let at = 2; at < 10; at += 2) {
      await Promise.all([sweep(), sweep(), sweep()]);
      await test.shiftClock(at);
    }
    expect(await getReplay(ctx, id)).toMatchObject({ status: 'completed', replayed: 10 });
    expect(await those('pending', id)).toEqual(eventIds);
  });

  it('holds deliveries for a paused endpoint, and ends at a disabled or deleted one', async () => {
    const set = (value: string) =>
      test.database.db.query(`UPDATE endpoints SET ${value} WHERE tenant_id = $1`, [ctx.tenantId]);
    await set("status = 'paused'");
    const { id } = await create({ max_per_second: 6 });
    await sweep();
    expect(await those('held', id)).toEqual(eventIds.slice(0, 6));
    await set("status = 'disabled'");
    await test.shiftClock(2);
    expect(await sweep()).toBe(0);
    expect(await getReplay(ctx, id)).toMatchObject({ status: 'cancelled', replayed: 6 });
    await expect(create()).rejects.toMatchObject(refusal('state', 'status'));
  });

  it('is cancelled once', async () => {
    const { id } = await create({ max_per_second: 1 });
    await sweep();
    expect(await cancelReplay(ctx, id)).toMatchObject({ status: 'cancelled', replayed: 1 });
    await expect(cancelReplay(ctx, id)).rejects.toMatchObject(refusal('state', 'status'));
    await test.shiftClock(5);
    expect(await sweep()).toBeUndefined();
    const { items } = await listReplays(ctx, { endpointId, filter: { status: 'cancelled' } }, pageOf({}));
    expect(items).toEqual([await getReplay(ctx, id)]);
  });

  it('runs once at a time for an endpoint, and ten times for a tenant', async () => {
    const outcomes = await Promise.allSettled([create(), create(), create()]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(create()).rejects.toMatchObject(refusal('limit'));
    for (let n = 1; n < 10; n += 1) {
      endpointId = await makeEndpoint(ctx, 'https://example.com');
      await create();
    }
    endpointId = await makeEndpoint(ctx, 'https://example.com');
    await expect(create()).rejects.toThrow('at most 10 running replays');
  });

  it('is refused for a range that is no longer stored, and for an empty one', async () => {
    const now = ctx.clock.now().getTime();
    const dayMs = 86_400_000;
    const old = { statuses: ['dead' as const], from: new Date(now - 31 * dayMs) };
    const tooOld = { code: 'invalid_input', ...refusal('min', 'filter.from') };
    await expect(create({ filter: old })).rejects.toMatchObject(tooOld);
    const countWith = async (eventDays: number, deliveryDays: number) =>
      (
        await previewReplay(
          { ...ctx, retention: { eventDays, deliveryDays } },
          { endpointId, body: body({ filter: old }) },
        )
      ).total;
    for (const [eventDays, deliveryDays] of [
      [20, 0],
      [20, 90],
      [90, 20],
    ] as const)
      await expect(countWith(eventDays, deliveryDays)).rejects.toMatchObject(tooOld);
    expect(await Promise.all([countWith(0, 0), countWith(90, 0), countWith(0, 90)])).toEqual([10, 10, 10]);
    const [from, to] = [new Date(now), new Date(now - 1)];
    await expect(create({ filter: { statuses: ['dead'], from, to } })).rejects.toMatchObject(
      refusal('min', 'filter.to'),
    );
    expect(await count({ from: new Date(now - 29 * dayMs) })).toBe(10);
  });

  it('belongs to its tenant', async () => {
    const { id } = await create();
    const stranger = test.context({ tenantId: await test.createTenant() });
    for (const act of [
      getReplay(stranger, id),
      cancelReplay(stranger, id),
      createReplay(stranger, { endpointId, body: body() }),
      listReplays(stranger, { endpointId, filter: {} }, pageOf({})),
    ])
      await expect(act).rejects.toMatchObject({ code: 'not_found' });
    expect(await getReplay(ctx, id)).toMatchObject({ status: 'running' });
  });
});
