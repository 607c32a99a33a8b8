import { defaultTenantId } from '@eas/contracts';
import { AppError } from '@eas/core';
import { useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { inboundScene } from '../../test/inbound-scene.ts';
import { sampleBody, sampleNames } from '../../test/samples.ts';

const test = useTestDatabase();
let scene: ReturnType<typeof inboundScene>;
beforeAll(() => void (scene = inboundScene(test)));

const secret = 'a secret of sixteen';
let webhooks = 0;

/** A tenant with an integration for a webhook of its own. */
async function connected(over: { secret?: string; webhook_id?: string | null } = {}) {
  const tenantId = await test.createTenant();
  const webhookId = `wh-${(webhooks += 1)}`;
  await scene.connect(tenantId, { type: 'taskplatform', webhook_id: webhookId, secret, ...over });
  return { tenantId, webhookId };
}

const forbidden = { name: 'AppError', code: 'forbidden' };
const stored = async (tenantId: string) => (await scene.receipts(tenantId)).length;

describe('receivePlatformEvent', () => {
  it('stores a signed body as it came, with its event and what its consumer owes', async () => {
    const { tenantId, webhookId } = await connected();
    const body = Buffer.from(`{ "event":"taskCreated","task_id":"t1", "webhook_id":"${webhookId}","extra":{"é":1} }`);
    expect(await scene.sendPlatform(body, { secret })).toBe('stored');
    expect(await scene.receipts(tenantId)).toMatchObject([
      { event: 'taskCreated', status: 'received', body: body.toString(), ref: expect.stringMatching(/^int_/) },
    ]);
    const owed = await test.database.db.query(
      `SELECT consumer FROM outbox JOIN events USING (tenant_id, event_id)
       WHERE tenant_id = $1 AND event_type = 'inbound.received'`,
      [tenantId],
    );
    expect(owed).toEqual([{ consumer: 'inbound.apply' }]);
  });

  it('refuses what is not signed, signed by another or changed after signing, and stores nothing', async () => {
    const { tenantId, webhookId } = await connected();
    const body = { event: 'taskCreated', task_id: 't1', webhook_id: webhookId };
    await expect(scene.sendPlatform(body)).rejects.toMatchObject(forbidden);
    await expect(scene.sendPlatform(body, { secret: 'another secret' })).rejects.toMatchObject(forbidden);
    await expect(scene.sendPlatform(body, { signature: 'é' })).rejects.toMatchObject(forbidden);
    const unknown = { ...body, webhook_id: 'of nobody' };
    await expect(scene.sendPlatform(unknown, { secret })).rejects.toMatchObject(forbidden);
    expect(await stored(tenantId)).toBe(0);
  });

  it('gives a body to the tenant whose secret signed it, when two tenants have the same webhook id', async () => {
    const first = await connected({ webhook_id: 'shared' });
    const second = await connected({ webhook_id: 'shared', secret: 'the second secret' });
    const body = { event: 'taskCreated', task_id: 't1', webhook_id: 'shared' };
    await scene.sendPlatform(body, { secret: 'the second secret' });
    expect([await stored(first.tenantId), await stored(second.tenantId)]).toEqual([0, 1]);
    await scene.sendPlatform(body, { secret });
    expect([await stored(first.tenantId), await stored(second.tenantId)]).toEqual([1, 1]);
  });

  it('tries every integration on a body without a webhook id', async () => {
    const { tenantId } = await connected({ secret: 'found by its secret' });
    await scene.sendPlatform({ event: 'taskCreated', task_id: 't1' }, { secret: 'found by its secret' });
    expect(await stored(tenantId)).toBe(1);
  });

  it('takes bodies of any webhook for an integration that names none', async () => {
    const { tenantId } = await connected({ webhook_id: null, secret: 'for every webhook' });
    const body = { event: 'taskCreated', task_id: 't1', webhook_id: 'never seen' };
    await scene.sendPlatform(body, { secret: 'for every webhook' });
    expect(await stored(tenantId)).toBe(1);
  });

  it('takes a body at once when its integration was made just now, whatever was refused before', async () => {
    const body = { event: 'taskCreated', task_id: 't1', webhook_id: 'soon' };
    await expect(scene.sendPlatform(body, { secret: 'brand new secret' })).rejects.toMatchObject(forbidden);
    const { tenantId } = await connected({ webhook_id: 'soon', secret: 'brand new secret' });
    await scene.sendPlatform(body, { secret: 'brand new secret' });
    const other = await connected({ webhook_id: 'soon', secret: 'another new secret' });
    await scene.sendPlatform(body, { secret: 'another new secret' });
    expect([await stored(tenantId), await stored(other.tenantId)]).toEqual([1, 1]);
  });

  it('takes unsigned bodies for the default tenant where that is allowed, and still checks signed ones', async () => {
    const { webhookId, tenantId } = await connected();
    const before = await stored(defaultTenantId);
    const body = { event: 'taskCreated', task_id: 't1', webhook_id: webhookId };
    await scene.sendPlatform(body, { takesUnsigned: true });
    expect((await scene.receipts()).at(-1)).toMatchObject({ ref: 'unsigned' });
    const wrong = { secret: 'another secret', takesUnsigned: true };
    await expect(scene.sendPlatform(body, wrong)).rejects.toMatchObject(forbidden);
    await scene.sendPlatform(body, { secret, takesUnsigned: true });
    expect([await stored(defaultTenantId), await stored(tenantId)]).toEqual([before + 1, 1]);
  });

  it('stores a change once, however often and however many at a time it comes', async () => {
    const { tenantId, webhookId } = await connected();
    const sample = { ...JSON.parse(sampleBody('taskStatusUpdated').toString()), webhook_id: webhookId };
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => scene.sendPlatform(sample, { secret })));
    await scene.sendPlatform(sample, { secret });
    expect(outcomes).toHaveLength(20);
    expect(await scene.receipts(tenantId)).toMatchObject([{ event: 'taskStatusUpdated', repeats: 20 }]);
    await scene.sendPlatform({ ...sample, event: 'taskUpdated' }, { secret });
    expect(await stored(tenantId)).toBe(2);
  });

  it('stores every receipt that carries no history id, and both versions of a comment', async () => {
    const { tenantId, webhookId } = await connected();
    const of = (name: string) => ({ ...JSON.parse(sampleBody(name).toString()), webhook_id: webhookId });
    for (const name of ['folderUpdated', 'folderUpdated', 'taskUpdated.comment', 'taskUpdated.comment-edited'])
      await scene.sendPlatform(of(name), { secret });
    await scene.sendPlatform(of('taskUpdated.comment'), { secret });
    expect((await scene.receipts(tenantId)).map(({ repeats }) => repeats)).toEqual([0, 0, 1, 0]);
  });

  it('keeps a well-formed name that is not known as quarantined, owed to nobody', async () => {
    const { tenantId, webhookId } = await connected();
    const body = { event: 'taskArchived', webhook_id: webhookId };
    expect(await scene.sendPlatform(body, { secret })).toBe('quarantined');
    expect(await scene.receipts(tenantId)).toMatchObject([{ event: 'taskArchived', status: 'quarantined' }]);
    expect(await test.database.db.query('SELECT 1 FROM outbox WHERE tenant_id = $1', [tenantId])).toEqual([]);
  });

  it('takes every sample at once', async () => {
    const { tenantId } = await connected({ webhook_id: null, secret: 'for all the samples' });
    const sent = sampleNames.map((name) => scene.sendPlatform(sampleBody(name), { secret: 'for all the samples' }));
    await Promise.all(sent);
    const repeats = (await scene.receipts(tenantId)).reduce((sum, { repeats: more }) => sum + 1 + more, 0);
    expect(repeats).toBe(sampleNames.length);
  });

  it('refuses a malformed body before it looks at the signature', async () => {
    await expect(scene.sendPlatform(Buffer.from('{"event":'))).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(scene.sendPlatform({ event: 'taskCreated' })).rejects.toThrow(AppError);
  });
});
