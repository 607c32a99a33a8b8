import { createIntegrationBody } from '@eas/contracts';
import { useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { createIntegration, listIntegrations } from './index.ts';

const test = useTestDatabase();
const page = {};

describe('integrations', () => {
  it('shows what was connected, newest first, and none of its secrets', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    await createIntegration(ctx, {
      type: 'taskplatform',
      webhook_id: 'w1',
      secret: 'the secret itself',
      token: 'the token itself',
      status_map: { 'In Review': 'hold' },
    });
    await createIntegration(ctx, {
      type: 'github',
      org_name: 'acme',
      repositories: ['api'],
      secret: 'the secret itself',
      token: 'the token itself',
    });
    await createIntegration(ctx, {
      type: 'slack',
      workspace_name: 'acme',
      webhook_url: 'https://hooks.example/secret',
    });
    const list = (await listIntegrations(ctx, page)).items;
    expect(list).toMatchObject([
      { type: 'slack', workspace_name: 'acme', channels: [] },
      { type: 'github', org_name: 'acme', repositories: ['api'] },
      { type: 'taskplatform', status: 'active', webhook_id: 'w1', status_map: { 'in review': 'hold' } },
    ]);
    expect(JSON.stringify(list)).not.toMatch(/itself|hooks/);
    expect((await listIntegrations(ctx, { limit: 1, offset: 1 })).items).toEqual([list[1]]);
    const rows = await test.database.db.query('SELECT * FROM integrations WHERE tenant_id = $1', [ctx.tenantId]);
    expect(JSON.stringify(rows)).not.toMatch(/itself|hooks/);
  });

  it('keeps a status map as it is, whatever its words', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    const words = ['constructor', '$type', '__proto__'];
    const map = JSON.parse(`{${words.map((word) => `"${word.toUpperCase()}": "hold"`).join()}}`) as Record<
      string,
      'hold'
    >;
    await createIntegration(ctx, { type: 'taskplatform', webhook_id: 'w1', secret: 's', status_map: map });
    const [made] = (await listIntegrations(ctx, page)).items as { status_map: object }[];
    expect(Object.keys(made?.status_map ?? {}).sort()).toEqual(words.sort());
  });

  it('have the public events of their tenant read by those who tell others', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    const subscribed = () => ctx.db.query('SELECT FROM subscribed_tenants WHERE tenant_id = $1', [ctx.tenantId]);
    expect(await subscribed()).toHaveLength(0);
    for (const id of ['w1', 'w2'])
      await createIntegration(ctx, { type: 'taskplatform', webhook_id: id, secret: 'the secret itself' });
    expect(await subscribed()).toHaveLength(1);
  });

  it('connects a webhook once a tenant', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    const body = { type: 'taskplatform', webhook_id: 'w1', secret: 's' } as const;
    await createIntegration(ctx, body);
    await expect(createIntegration(ctx, body)).rejects.toMatchObject({
      code: 'conflict',
      violations: [{ field: 'webhook_id', constraint: 'exists' }],
    });
    await createIntegration(test.context({ tenantId: await test.createTenant() }), body);
    expect((await listIntegrations(ctx, page)).items).toHaveLength(1);
  });

  it.each([
    {},
    { type: 'jira', secret: 's' },
    { type: 'taskplatform' },
    { type: 'taskplatform', secret: '' },
    { type: 'taskplatform', secret: 's', webhook_id: 7 },
    { type: 'taskplatform', secret: 's', status_map: { done: 'finished' } },
    { type: 'taskplatform', secret: 's', org_name: 'x' },
    { type: 'github', secret: 's' },
    { type: 'github', org_name: 'acme', secret: 's', token: 'two\nlines' },
    { type: 'github', org_name: 'acme', secret: 's', token: 'x'.repeat(1_025) },
    { type: 'slack', workspace_name: 'x', webhook_url: 7 },
  ])('refuses %j', (body) => expect(createIntegrationBody.safeParse(body).success).toBe(false));
});
