import type { CreateIntegrationBody } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { eventually, useTestDatabase } from '@eas/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { inboundScene } from './inbound-scene.ts';
import { changeIntegration, createIntegration, getIntegration, sweepSilence } from '@eas/integrations';

const test = useTestDatabase();
const secret = 'a secret of this platform';
const body = { event: 'taskCreated', task_id: 't1' };
let ctx: UseCaseContext;
let scene: ReturnType<typeof inboundScene>;
beforeEach(async () => {
  ctx = test.context({ tenantId: await test.createTenant() });
  scene = inboundScene(test);
});

const connect = async (over: Partial<CreateIntegrationBody> = {}) => {
  const sent = { type: 'taskplatform', secret, ...over } as CreateIntegrationBody;
  return (await createIntegration(ctx, sent)).integration.id;
};
const read = (id: string) => getIntegration(ctx, id);
const view = async (id: string) => (await read(id)).integration;
/** Moves what the alarm counts from into the past, and makes it due. */
const age = (id: string, hours: number) =>
  test.database.db.query(
    `UPDATE integrations SET updated_at = updated_at - $2 * interval '1 hour', silence_check_at = app_now(),
       last_received_at = last_received_at - $2 * interval '1 hour' WHERE id = $1`,
    [id, hours],
  );
const sweep = async () => (await sweepSilence(test.database.db)).map(({ id }) => id);

describe('an integration', () => {
  it('shows when it last received and applied, and its version stays', async () => {
    const id = await connect();
    await scene.sendPlatform(body, { secret, to: id });
    await eventually(async () => (await view(id)).last_received_at !== undefined);
    expect(await view(id)).not.toHaveProperty('last_applied_at');
    await scene.apply(ctx.tenantId);
    const { integration, version } = await read(id);
    expect([integration, version]).toMatchObject([{ last_applied_at: expect.stringMatching(/Z$/) }, 1]);
    expect(integration).not.toHaveProperty('last_error');
  });

  it('shows why a webhook was last not applied', async () => {
    const id = await connect();
    const tooMuch = { ...body, history_items: Array.from({ length: 501 }, (_, n) => ({ id: `h${n}` })) };
    await scene.sendPlatform(tooMuch, { secret, to: id });
    await scene.apply(ctx.tenantId);
    expect(await view(id)).toMatchObject({ last_error: { at: expect.stringMatching(/Z$/), reason: 'too_large' } });
  });

  it('shows that a webhook came to its address with a wrong signature, and keeps nothing of it', async () => {
    const [id, other] = [await connect(), await connect()];
    const refused = scene.sendPlatform(body, { secret: 'a secret of somebody else', to: id });
    await expect(refused).rejects.toMatchObject({ code: 'forbidden' });
    await eventually(async () => (await view(id)).last_error?.reason === 'signature');
    expect(await view(id)).not.toHaveProperty('last_received_at');
    expect(await view(other)).not.toHaveProperty('last_error');
    expect(await scene.receipts(ctx.tenantId)).toEqual([]);
  });

  it('is written about once in a while, however many webhooks it receives', async () => {
    const id = await connect();
    const sql = 'SELECT xmin::text AS writer FROM integrations WHERE id = $1';
    const writer = async () => (await test.database.db.query<{ writer: string }>(sql, [id]))[0]?.writer;
    await scene.sendPlatform(body, { secret, to: id });
    await eventually(async () => (await view(id)).last_received_at !== undefined);
    const first = await writer();
    for (let n = 0; n < 20; n += 1) await scene.sendPlatform({ ...body, n }, { secret, to: id });
    expect(await writer()).toBe(first);
  });
});

describe('a silence alarm', () => {
  it('degrades what received nothing for so long, and its next webhook makes it active again', async () => {
    const id = await connect({ silence_alarm_hours: 2 });
    expect(await sweep()).toEqual([]);
    await age(id, 1);
    expect(await sweep()).toEqual([]);
    await age(id, 1);
    expect(await sweep()).toEqual([id]);
    expect(await read(id)).toMatchObject({ integration: { status: 'degraded', status_reason: 'silent' }, version: 2 });
    expect(await sweep()).toEqual([]);
    await scene.sendPlatform(body, { secret, to: id });
    await eventually(async () => (await view(id)).status === 'active');
    expect(await view(id)).not.toHaveProperty('status_reason');
    await age(id, 2);
    expect(await sweep()).toEqual([id]);
  });

  it('counts from the last webhook', async () => {
    const id = await connect({ silence_alarm_hours: 2 });
    await age(id, 5);
    await scene.sendPlatform(body, { secret, to: id });
    await eventually(async () => (await view(id)).last_received_at !== undefined);
    expect(await sweep()).toEqual([]);
    expect((await view(id)).status).toBe('active');
  });

  it.each([
    ['is off', { silence_alarm_hours: null }],
    ['is of an integration that is switched off', { status: 'disconnected' as const }],
  ])('that %s never goes off', async (_what, change) => {
    const id = await connect({ silence_alarm_hours: 1 });
    await changeIntegration(ctx, { id, ifMatch: undefined, body: change });
    await age(id, 9);
    expect(await sweep()).toEqual([]);
    expect(await view(id)).not.toHaveProperty('status_reason');
  });

  it('that is changed is judged again', async () => {
    const id = await connect({ silence_alarm_hours: 1 });
    await age(id, 1);
    await sweep();
    const { integration } = await changeIntegration(ctx, { id, ifMatch: undefined, body: { silence_alarm_hours: 24 } });
    expect(integration).toMatchObject({ status: 'active', silence_alarm_hours: 24 });
  });

  it('leaves the reason of an integration that is degraded already', async () => {
    const id = await connect({ silence_alarm_hours: 1 });
    await test.database.db.query(
      `UPDATE integrations SET status = 'degraded', status_reason = 'no token' WHERE id = $1`,
      [id],
    );
    await age(id, 2);
    expect(await sweep()).toEqual([]);
    await scene.sendPlatform(body, { secret, to: id });
    await eventually(async () => (await view(id)).last_received_at !== undefined);
    expect(await view(id)).toMatchObject({ status: 'degraded', status_reason: 'no token' });
  });
});
