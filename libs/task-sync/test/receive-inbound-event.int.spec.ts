import { defaultTenantId } from '@eas/contracts';
import { useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { changeIntegration } from '@eas/integrations';
import { inboundScene } from './inbound-scene.ts';
import { octokitExamples } from '@eas/source-host/octokit-examples';
import { sampleBody, sampleNames } from '@eas/task-platform/samples';

const test = useTestDatabase();
let scene: ReturnType<typeof inboundScene>;
beforeAll(() => void (scene = inboundScene(test)));

const secret = 'a secret of sixteen';
let webhooks = 0;

/** A tenant with an integration for a webhook of its own. */
async function connected(over: { secret?: string; webhook_id?: string | null } = {}) {
  const tenantId = await test.createTenant();
  const webhookId = `wh-${(webhooks += 1)}`;
  const body = { type: 'taskplatform', webhook_id: webhookId, secret, ...over } as const;
  const { integration } = await scene.connect(tenantId, body);
  return { tenantId, webhookId, integrationId: integration.id };
}

async function connectedSourceHost() {
  const tenantId = await test.createTenant();
  const { integration } = await scene.connect(tenantId, { type: 'github', org_name: 'acme', secret });
  return { tenantId, integrationId: integration.id };
}

const forbidden = { name: 'AppError', code: 'forbidden' };
const stored = async (tenantId: string) => (await scene.receipts(tenantId)).length;

describe('receiveInboundEvent', () => {
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
    const unknown = { ...body, webhook_id: 'of none' };
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

  it('tries integrations of every tenant, however many one of them has', async () => {
    const crowded = await test.createTenant();
    for (let n = 0; n < 25; n += 1) {
      const named = n % 2 === 0 ? { webhook_id: `crowd-${n}` } : {};
      await scene.connect(crowded, { type: 'taskplatform', secret: `a secret of the crowd ${n}`, ...named });
    }
    const { tenantId } = await connected({ webhook_id: null, secret: 'the last one of all' });
    const body = { event: 'taskCreated', task_id: 't1' };
    await scene.sendPlatform(body, { secret: 'the last one of all' });
    await scene.sendPlatform({ ...body, webhook_id: 'crowd-0' }, { secret: 'the last one of all' });
    expect(await stored(tenantId)).toBe(2);
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

  it('keeps a well-formed unknown name as quarantined, with no consumer pending', async () => {
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

  it('refuses what is not signed before it reads the body, and then what does not fit', async () => {
    const { webhookId } = await connected();
    const malformed = { code: 'invalid_request' };
    for (const body of [Buffer.from('{"event":'), Buffer.from(`{"webhook_id":"${webhookId}","event":7}`)]) {
      await expect(scene.sendPlatform(body)).rejects.toMatchObject(forbidden);
      await expect(scene.sendPlatform(body, { secret: 'another secret' })).rejects.toMatchObject(forbidden);
    }
    const body = Buffer.from(`{"webhook_id":"${webhookId}","event":"taskCreated","task_id":`);
    await expect(scene.sendPlatform(body, { secret })).rejects.toMatchObject(malformed);
  });
});

describe('the address of an integration', () => {
  const created = { event: 'taskCreated', task_id: 't1' };

  it('takes what its own secret signed, whatever webhook the body names', async () => {
    const { tenantId, integrationId } = await connected();
    await scene.sendPlatform({ ...created, webhook_id: 'another' }, { secret, to: integrationId });
    expect(await scene.receipts(tenantId)).toMatchObject([{ ref: integrationId }]);
  });

  it('tries no other secret, and takes nothing that is not signed', async () => {
    const { integrationId, webhookId } = await connected();
    const other = await connected({ secret: 'of another integration' });
    const body = { ...created, webhook_id: other.webhookId };
    for (const sending of [
      { secret: 'of another integration' },
      { takesUnsigned: true },
      { signature: 'none', takesUnsigned: true },
    ])
      await expect(scene.sendPlatform(body, { ...sending, to: integrationId })).rejects.toMatchObject(forbidden);
    expect([await stored(other.tenantId), webhookId]).toEqual([0, expect.any(String)]);
  });

  it('is refused alike for an integration that is unknown, switched off or of another kind', async () => {
    const { tenantId, integrationId } = await connected();
    const ctx = test.context({ tenantId });
    const { integrationId: gitHub } = await connectedSourceHost();
    await changeIntegration(ctx, { id: integrationId, ifMatch: undefined, body: { status: 'disconnected' } });
    for (const to of ['int_none', integrationId, gitHub])
      await expect(scene.sendPlatform(created, { secret, to })).rejects.toMatchObject(forbidden);
  });

  it('takes bodies of the source host of any owner', async () => {
    const { tenantId, integrationId } = await connectedSourceHost();
    const opened = octokitExamples('pull_request').find(({ action }) => action === 'opened') ?? {};
    await scene.sendSourceHost('pull_request', opened, { secret, to: integrationId });
    expect(await stored(tenantId)).toBe(1);
    await expect(scene.sendSourceHost('ping', {}, { secret: 'x', to: integrationId })).rejects.toMatchObject(forbidden);
  });
});
