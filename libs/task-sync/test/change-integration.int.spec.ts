import { useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { inboundScene } from './inbound-scene.ts';
import { changeIntegration, createIntegration, deleteIntegration, getIntegration } from '@eas/integrations';

const test = useTestDatabase();
const secret = 'the first secret of all';
const forbidden = { code: 'forbidden' };
const ifMatch = undefined;
let monotonicMs = 0;
let scene: ReturnType<typeof inboundScene>;
beforeAll(() => {
  const { database } = test;
  const clock = { ...database.clock, monotonicMs: () => monotonicMs };
  scene = inboundScene({ database: { ...database, clock }, context: test.context });
});

/** A tenant's integration for a webhook, of which the receiver has opened the secret a moment ago. */
async function known(webhookId: string) {
  const ctx = test.context({ tenantId: await test.createTenant() });
  const { integration } = await createIntegration(ctx, { type: 'taskplatform', webhook_id: webhookId, secret });
  const body = { event: 'taskCreated', task_id: 't1', webhook_id: webhookId };
  await scene.sendPlatform(body, { secret });
  return { ctx, id: integration.id, body };
}

describe('an integration that the receiver knows', () => {
  it('signs with its new secret at once, and no more with the old one after 2 s', async () => {
    const { ctx, id, body } = await known('changed');
    await changeIntegration(ctx, { id, ifMatch, body: { secret: 'the second secret' } });
    expect(await scene.sendPlatform({ ...body, extra: 1 }, { secret: 'the second secret' })).toBe('stored');
    monotonicMs += 2_000;
    await expect(scene.sendPlatform({ ...body, extra: 2 }, { secret })).rejects.toMatchObject(forbidden);
  });

  it('is refused 2 s after it was switched off, and accepted again when it is switched on', async () => {
    const { ctx, id, body } = await known('switched');
    await changeIntegration(ctx, { id, ifMatch, body: { status: 'disconnected' } });
    monotonicMs += 2_000;
    await expect(scene.sendPlatform(body, { secret })).rejects.toMatchObject(forbidden);
    await changeIntegration(ctx, { id, ifMatch, body: { status: 'active' } });
    expect(await scene.sendPlatform(body, { secret })).toBe('stored');
  });

  it('is refused 2 s after it was deleted; its row stays without secrets', async () => {
    const { ctx, id, body } = await known('deleted');
    await deleteIntegration(ctx, { id, ifMatch });
    monotonicMs += 2_000;
    await expect(scene.sendPlatform(body, { secret })).rejects.toMatchObject(forbidden);
    await expect(getIntegration(ctx, id)).rejects.toMatchObject({ code: 'not_found' });
    const rows = await test.database.db.query('SELECT secret, token FROM integrations WHERE id = $1', [id]);
    expect(rows).toEqual([{ secret: null, token: null }]);
  });

  it('gives its webhook free when it is deleted', async () => {
    const { ctx, id } = await known('free');
    await deleteIntegration(ctx, { id, ifMatch });
    await createIntegration(ctx, { type: 'taskplatform', webhook_id: 'free', secret });
  });
});

describe('a degraded integration', () => {
  const degrade = (id: string) =>
    test.database.db.query(`UPDATE integrations SET status = 'degraded', status_reason = 'no token' WHERE id = $1`, [
      id,
    ]);

  it('keeps its reason through changes, and loses it when it is switched on', async () => {
    const { ctx, id } = await known('degraded');
    await degrade(id);
    const change = async (body: object) => (await changeIntegration(ctx, { id, ifMatch, body })).integration;
    expect(await change({ status: 'degraded' })).toMatchObject({ status: 'degraded', status_reason: 'no token' });
    const healed = await change({ status: 'active' });
    expect([healed.status, 'status_reason' in healed]).toEqual(['active', false]);
  });
});

describe('the maps of an integration', () => {
  it('are merged word by word and user by user, in lower case, and cleared by null', async () => {
    const { ctx, id } = await known('mapped');
    const change = async (body: object) => (await changeIntegration(ctx, { id, ifMatch, body })).integration;
    const first = { status_map: { Shipped: 'completed' as const }, assignee_map: { '184': 'qa', 'Sam@x.io': 'rd' } };
    expect(await change(first)).toMatchObject({
      status_map: { shipped: 'completed' },
      assignee_map: { '184': 'qa', 'sam@x.io': 'rd' },
    });
    expect(await change({ assignee_map: { 'SAM@x.io': null, Rita: 'pm' } })).toMatchObject({
      status_map: { shipped: 'completed' },
      assignee_map: { '184': 'qa', rita: 'pm' },
    });
    expect(await change({ assignee_map: null })).not.toHaveProperty('assignee_map');
    const many = Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`u${n}`, 'rd']));
    await expect(change({ assignee_map: many })).rejects.toMatchObject({
      code: 'invalid_input',
      violations: [{ field: 'assignee_map', constraint: 'max_length' }],
    });
  });

  it('of a source host are merged label by label; its other rules are cleared by null', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    const rules = { labels: { Bug: 'rd' }, complete_on_merge: true, repositories: ['web'] };
    const created = await createIntegration(ctx, { type: 'github', org_name: 'acme', secret, ...rules });
    expect(created.integration).toMatchObject({ ...rules, labels: { bug: 'rd' } });
    const { id } = created.integration;
    const change = async (body: object) => (await changeIntegration(ctx, { id, ifMatch, body })).integration;
    expect(await change({ labels: { BUG: null, Docs: 'pm' } })).toMatchObject({ labels: { docs: 'pm' } });
    const cleared = await change({ labels: null, complete_on_merge: null, repositories: null });
    expect(cleared).toMatchObject({ repositories: [] });
    expect(Object.keys(cleared)).not.toEqual(expect.arrayContaining(['labels', 'complete_on_merge']));
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`l${n}`, 'rd']));
    await expect(change({ labels: many })).rejects.toMatchObject({
      violations: [{ field: 'labels', constraint: 'max_length' }],
    });
  });
});
