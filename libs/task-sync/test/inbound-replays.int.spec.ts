import { type CreateInboundReplayBody, createInboundReplayBody } from '@eas/contracts';
import { newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inboundScene, linkedTask } from './inbound-scene.ts';
import {
  cancelInboundReplay,
  createInboundReplay,
  getInboundEvent,
  getInboundReplay,
  listInboundEvents,
  previewInboundReplay,
  replayInboundEvent,
  sweepInboundReplay,
} from '@eas/receiving';

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
const apply = () => scene().apply(ctx.tenantId);
/** Sends a body and gives the id of its receipt. */
async function receive(body: object): Promise<string> {
  await scene().sendPlatform(body, { secret, to: integrationId });
  return (await listInboundEvents(ctx, { limit: 1 })).data[0]?.id ?? '';
}
const set = (id: string, change: string) =>
  test.database.db.query(`UPDATE inbound_events SET ${change} WHERE tenant_id = $1 AND id = $2`, [ctx.tenantId, id]);
const create = (body: object) => createInboundReplay(ctx, createInboundReplayBody.parse(body));
const parse = (body: object): CreateInboundReplayBody => createInboundReplayBody.parse(body);

/** Moves replays on until none runs; their waits are over at once. */
async function runReplays(): Promise<void> {
  for (let steps = 0; steps < 20; steps += 1) {
    await test.database.db.query('UPDATE inbound_replays SET next_run_at = app_now() WHERE next_run_at IS NOT NULL');
    if ((await test.database.inTransaction('', sweepInboundReplay)) === undefined) return;
  }
  throw new Error('the replay does not end');
}
const states = async () => (await listInboundEvents(ctx, {})).data.map(({ state }) => state);

describe('an inbound event', () => {
  it('that failed is applied again by a replay', async () => {
    const id = await receive({ event: 'taskCreated', task_id: 't1', data: { name: 'Once more' } });
    await set(id, "status = 'failed', settled_at = app_now(), outcome = 'gave_up: failed ten times'");
    expect(await replayInboundEvent(ctx, id)).toMatchObject({ state: 'received', reason: null, settled_at: null });
    await apply();
    expect(await getInboundEvent(ctx, id)).toMatchObject({
      state: 'applied',
      detail: expect.stringMatching(/^created/),
    });
    expect(await linkedTask(test, ctx.tenantId, 't1')).toMatchObject({ title: 'Once more', tasks: 1 });
  });

  it('that was applied changes nothing that is newer', async () => {
    const history = (id: string, date: string, after: string) => [{ id, date, field: 'name', before: null, after }];
    const first = await receive({
      event: 'taskUpdated',
      task_id: 't1',
      history_items: history('1', '1700000000000', 'A'),
    });
    await receive({ event: 'taskUpdated', task_id: 't1', history_items: history('2', '1700000001000', 'B') });
    await apply();
    const before = await linkedTask(test, ctx.tenantId, 't1');
    await replayInboundEvent(ctx, first);
    await apply();
    expect(await linkedTask(test, ctx.tenantId, 't1')).toEqual(before);
    expect(await getInboundEvent(ctx, first)).toMatchObject({ state: 'ignored', reason: 'not_newer' });
  });

  it('whose event is known by now is applied, and one that came without its ids fails', async () => {
    const id = await receive({ event: 'taskTeleported', task_id: 't1', data: { name: 'Known now' } });
    const broken = await receive({ event: 'taskTeleported', data: {} });
    for (const one of [id, broken]) await set(one, "event = 'taskCreated', external_id = NULL");
    const renamed = `body = replace(body, 'taskTeleported', 'taskCreated')`;
    for (const one of [id, broken]) await set(one, renamed);
    await replayInboundEvent(ctx, id);
    await apply();
    expect(await linkedTask(test, ctx.tenantId, 't1')).toMatchObject({ title: 'Known now' });
    await replayInboundEvent(ctx, broken);
    await apply();
    expect(await getInboundEvent(ctx, broken)).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('task_id'),
    });
  });

  it.each([
    ['waits to be applied', '', 'state'],
    ['has no body any more', "status = 'failed', settled_at = app_now(), body = NULL", 'body'],
    ['has an unknown event', "status = 'quarantined', settled_at = app_now(), event = 'taskTeleported'", 'event'],
  ])('that %s cannot be replayed', async (_what, change, field) => {
    const id = await receive({ event: 'taskCreated', task_id: 't1' });
    if (change) await set(id, change);
    const before = await getInboundEvent(ctx, id);
    await expect(replayInboundEvent(ctx, id)).rejects.toMatchObject({
      code: 'conflict',
      violations: [{ field, constraint: 'state' }],
    });
    expect(await getInboundEvent(ctx, id)).toEqual(before);
  });

  it('of another tenant is not found', async () => {
    const id = await receive({ event: 'taskCreated', task_id: 't1' });
    const stranger = test.context({ tenantId: await test.createTenant() });
    await expect(replayInboundEvent(stranger, id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a replay of inbound events', () => {
  afterEach(() => test.startClock());

  async function receiveFailed(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.push(await receive({ event: 'taskCreated', task_id: `t${n}` }));
    await apply();
    for (const id of ids) await set(id, "status = 'failed', outcome = 'gave_up: failed ten times'");
    return ids;
  }

  it('counts in a dry run and applies nothing', async () => {
    await receiveFailed(3);
    expect(await previewInboundReplay(ctx, parse({}))).toMatchObject({ total: 3, filter: { state: 'failed' } });
    expect(await previewInboundReplay(ctx, parse({ filter: { external_id: 't1' } }))).toMatchObject({ total: 1 });
    expect(await previewInboundReplay(ctx, parse({ filter: { state: 'applied' } }))).toMatchObject({ total: 0 });
    expect(await states()).toEqual(['failed', 'failed', 'failed']);
  });

  it('applies what its filter matches, some a second, and skips what cannot be applied', async () => {
    const [noBody] = await receiveFailed(4);
    await set(noBody as string, 'body = NULL');
    // A second passes only in runReplays.
    await test.stopClock();
    const { id, ...made } = await create({ max_per_second: 2 });
    expect(made).toMatchObject({ status: 'running', total: 4, replayed: 0, created_by: ctx.actor.id });
    const step = () => test.database.inTransaction('', sweepInboundReplay);
    expect(await step()).toBe(1);
    expect(await states()).toEqual(['failed', 'failed', 'received', 'failed']);
    expect(await step()).toBeUndefined();
    await runReplays();
    expect(await getInboundReplay(ctx, id)).toMatchObject({ status: 'completed', replayed: 3 });
    await apply();
    expect(await states()).toEqual(['ignored', 'ignored', 'ignored', 'failed']);
  });

  it('leaves alone what fails after it began, and what is of another tenant', async () => {
    await receiveFailed(1);
    await create({});
    const [later] = await receiveFailed(1);
    await set(later as string, "received_at = app_now() + interval '1 second'");
    const mine = ctx;
    ctx = test.context({ tenantId: await test.createTenant() });
    const other = await scene().connect(ctx.tenantId, { type: 'taskplatform', secret });
    integrationId = other.integration.id;
    await receiveFailed(1);
    await runReplays();
    expect(await states()).toEqual(['failed']);
    ctx = mine;
    expect(await states()).toEqual(['failed', 'received']);
  });

  it('runs alone, and can be cancelled once', async () => {
    await receiveFailed(1);
    const { id } = await create({});
    await expect(create({})).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(id),
      violations: [{ constraint: 'limit' }],
    });
    expect(await cancelInboundReplay(ctx, id)).toMatchObject({ status: 'cancelled', finished_at: expect.any(String) });
    await runReplays();
    expect(await states()).toEqual(['failed']);
    const ended = { code: 'conflict', violations: [{ field: 'status', constraint: 'state' }] };
    await expect(cancelInboundReplay(ctx, id)).rejects.toMatchObject(ended);
    const stranger = test.context({ tenantId: await test.createTenant() });
    await expect(cancelInboundReplay(stranger, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(getInboundReplay(ctx, newId('replay'))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is refused for a range that is empty', async () => {
    const filter = { received_after: '2026-11-20T10:00:00Z', received_before: '2026-11-20T10:00:00Z' };
    await expect(create({ filter })).rejects.toMatchObject({
      code: 'invalid_input',
      violations: [{ field: 'filter.received_before', constraint: 'min' }],
    });
  });
});
