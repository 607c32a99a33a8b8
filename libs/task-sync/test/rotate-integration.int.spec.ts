import { randomBytes } from 'node:crypto';
import { createSecretBox } from '@eas/core';
import { useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { inboundScene } from './inbound-scene.ts';
import { changeIntegration, createIntegration, rotateIntegration } from '@eas/integrations';

const test = useTestDatabase();
const [first, second, third] = ['the first secret of all', 'the second secret', 'the third secret of all'];
const forbidden = { code: 'forbidden' };
const ifMatch = undefined;
let monotonicMs = 0;
let scene: ReturnType<typeof inboundScene>;
beforeAll(() => {
  const { database } = test;
  const clock = { ...database.clock, monotonicMs: () => monotonicMs };
  scene = inboundScene({ database: { ...database, clock }, context: test.context });
});

async function connect(webhookId?: string) {
  const ctx = test.context({ tenantId: await test.createTenant() });
  const named = webhookId === undefined ? {} : { webhook_id: webhookId };
  const { integration } = await createIntegration(ctx, { type: 'taskplatform', secret: first, ...named });
  return { ctx, id: integration.id };
}

let sent = 0;
const send = (secret: string, to: string) =>
  scene.sendPlatform({ event: 'taskCreated', task_id: 't1', n: (sent += 1) }, { secret, to });

describe('an integration whose secret was rotated', () => {
  it('accepts the new secret at once and the one before for 24 hours, without a restart', async () => {
    const { ctx, id } = await connect();
    await send(first, id);
    const { integration, version } = await rotateIntegration(ctx, { id, ifMatch, secret: second });
    expect(version).toBe(2);
    expect(integration).not.toHaveProperty('secret');
    const lastsMs = Date.parse(integration.previous_secret_until ?? '') - Date.now();
    expect(Math.round(lastsMs / 3_600_000)).toBe(24);
    for (const secret of [second, first]) expect(await send(secret, id)).toBe('stored');
    await test.database.db.query('UPDATE integrations SET previous_secret_until = app_now() WHERE id = $1', [id]);
    monotonicMs += 2_000;
    expect(await send(second, id)).toBe('stored');
    await expect(send(first, id)).rejects.toMatchObject(forbidden);
  });

  it('accepts the new secret alone when the encryption key of the one before is lost', async () => {
    const { ctx, id } = await connect();
    const later = { ...ctx, secrets: createSecretBox([randomBytes(32).toString('base64')]) };
    const { integration } = await rotateIntegration(later, { id, ifMatch, secret: second });
    expect(integration.previous_secret_until ?? null).toBeNull();
  });

  it('accepts both at the common address and of a source host too', async () => {
    const { ctx, id } = await connect('rotated');
    await rotateIntegration(ctx, { id, ifMatch, secret: second });
    const body = { event: 'taskCreated', task_id: 't2', webhook_id: 'rotated' };
    for (const secret of [first, second]) expect(await scene.sendPlatform(body, { secret })).toBe('stored');
    const host = await createIntegration(ctx, { type: 'github', org_name: 'acme', secret: first });
    await rotateIntegration(ctx, { id: host.integration.id, ifMatch, secret: second });
    for (const secret of [first, second])
      expect(await scene.sendSourceHost('ping', {}, { secret, to: host.integration.id })).toBe('ignored');
  });

  it('does not accept a secret from two rotations ago', async () => {
    const { ctx, id } = await connect();
    await rotateIntegration(ctx, { id, ifMatch, secret: second });
    await rotateIntegration(ctx, { id, ifMatch, secret: third });
    for (const secret of [second, third]) expect(await send(secret, id)).toBe('stored');
    await expect(send(first, id)).rejects.toMatchObject(forbidden);
  });

  it('loses both when its secret is replaced', async () => {
    const { ctx, id } = await connect();
    await rotateIntegration(ctx, { id, ifMatch, secret: second });
    const { integration } = await changeIntegration(ctx, { id, ifMatch, body: { secret: third } });
    expect(integration).not.toHaveProperty('previous_secret_until');
    for (const old of [first, second]) await expect(send(old, id)).rejects.toMatchObject(forbidden);
  });

  it('shows a secret that was made once, and stores it sealed', async () => {
    const { ctx, id } = await connect();
    const { secret = '' } = (await rotateIntegration(ctx, { id, ifMatch, secret: undefined })).integration;
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(await send(secret, id)).toBe('stored');
    const rows = await test.database.db.query('SELECT * FROM integrations WHERE id = $1', [id]);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('is not found in another tenant, and is refused for a type that signs nothing', async () => {
    const { ctx, id } = await connect();
    const stranger = test.context({ tenantId: await test.createTenant() });
    await expect(rotateIntegration(stranger, { id, ifMatch, secret: second })).rejects.toMatchObject({
      code: 'not_found',
    });
    const chat = { type: 'slack', workspace_name: 'acme', webhook_url: 'https://hooks.example/x' } as const;
    const slack = await createIntegration(ctx, chat);
    await expect(rotateIntegration(ctx, { id: slack.integration.id, ifMatch, secret: second })).rejects.toMatchObject({
      code: 'conflict',
      violations: [{ field: 'type', constraint: 'state' }],
    });
  });
});
