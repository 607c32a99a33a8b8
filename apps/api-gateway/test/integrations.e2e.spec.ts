import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from './gateway.ts';

const gateway = useGateway();
const own = {
  id: expect.stringMatching(/^int_[0-9a-z]{26}$/),
  status: 'active',
  connected_at: expect.stringMatching(/Z$/),
};

describe('integrations', () => {
  it.each([
    [
      { type: 'taskplatform', webhook_id: 'wh-1', status_map: { Shipped: 'completed' } },
      { type: 'taskplatform', webhook_id: 'wh-1', status_map: { shipped: 'completed' } },
    ],
    [
      { type: 'github', org_name: 'acme', repositories: ['web', 'api'] },
      { type: 'github', org_name: 'acme', repositories: ['web', 'api'] },
    ],
    [
      { type: 'github', org_name: 'bare' },
      { type: 'github', org_name: 'bare', repositories: [] },
    ],
  ])('connect %j and keep the secret to themselves', async (sent, shown) => {
    const secret = 'a secret that nobody sees';
    const { status, body, text } = await gateway.post('/v1/integrations', { ...sent, secret });
    expect([status, body]).toEqual([201, { ...own, ...shown }]);
    expect(text).not.toContain(secret);
    const list = await gateway.get('/v1/integrations');
    expect(Object.keys(list.body)).toEqual(['data']);
    expect(list.body.data[0]).toEqual(body);
    expect(list.text).not.toContain(secret);
  });

  it('connect a chat workspace with its channels', async () => {
    const sent = { type: 'slack', workspace_name: 'Acme', channels: ['#dev'], token: 'xoxb-secret' };
    const { body, text } = await gateway.post('/v1/integrations', sent);
    expect(body).toMatchObject({ ...own, type: 'slack', workspace_name: 'Acme', channels: ['#dev'] });
    expect(text).not.toContain('xoxb');
  });

  it('are refused twice for one webhook of the platform', async () => {
    const body = { type: 'taskplatform', webhook_id: 'twice', secret: 'one' };
    await gateway.make('/v1/integrations', body);
    const before = await gateway.rows();
    expectError(await gateway.post('/v1/integrations', { ...body, secret: 'two' }), 409, 'conflict', {
      field: 'webhook_id',
      constraint: 'exists',
    });
    expect(await gateway.rows()).toEqual(before);
  });

  it('take limit and offset and show only the tenant’s own', async () => {
    const tenantId = await gateway.test.createTenant();
    const key = await gateway.makeKey(['integrations:read', 'integrations:write'], { tenantId });
    const made: Json[] = [];
    for (const name of ['one', 'two', 'three'])
      made.push(await gateway.make('/v1/integrations', { type: 'github', org_name: name, secret: 's' }, { key }));
    const names = async (query: string) =>
      (await gateway.get(`/v1/integrations?${query}`, { key })).body.data.map((one: Json) => one.org_name);
    expect(await names('')).toEqual(['three', 'two', 'one']);
    expect(await names('limit=1&offset=1')).toEqual(['two']);
    expect(await names('offset=9')).toEqual([]);
    expectError(await gateway.get('/v1/integrations?limit=101'), 400, 'invalid_request', {
      field: 'limit',
      constraint: 'max',
    });
  });

  it.each<[Json, string, string]>([
    [{}, 'type', 'required'],
    [{ type: 'fax' }, 'type', 'enum'],
    [{ type: 'taskplatform' }, 'secret', 'required'],
    [{ type: 'taskplatform', secret: '' }, 'secret', 'required'],
    [{ type: 'taskplatform', secret: 's'.repeat(257) }, 'secret', 'max_length'],
    [{ type: 'taskplatform', secret: 's', org_name: 'x' }, 'org_name', 'unknown_field'],
    [{ type: 'taskplatform', secret: 's', status_map: { done: 'maybe' } }, 'status_map.done', 'enum'],
    [{ type: 'github', secret: 's' }, 'org_name', 'required'],
    [{ type: 'github', secret: 's', org_name: 'x', repositories: 'web' }, 'repositories', 'type'],
    [{ type: 'slack', workspace_name: 'x', webhook_url: 'http://insecure.example' }, 'webhook_url', 'format'],
  ])('refuse %j', async (body, field, constraint) => {
    const before = await gateway.rows();
    expectError(await gateway.post('/v1/integrations', body), 400, 'invalid_input', { field, constraint });
    expect(await gateway.rows()).toEqual(before);
  });
});
