import { describe, expect, it } from '@jest/globals';
import { expectError, useGateway } from '../gateway.ts';
import { oauthScene, redirectUri } from './oauth-scene.ts';

const gateway = useGateway();
const scene = oauthScene(gateway);
const body = { name: 'Web shop', redirect_uris: [redirectUri], scopes: ['tasks:read'] };

const auditOf = async (id: string) =>
  (await gateway.get(`/admin/api/audit?target_id=${id}&sort=id`)).body.data.map(
    ({ action }: { action: string }) => action,
  );

describe('OAuth clients', () => {
  it('are made with a secret that is shown this once', async () => {
    const response = await gateway.post('/admin/api/clients', body);
    const { client_secret: secret, ...client } = response.body;
    expect([response.status, secret]).toEqual([201, expect.stringMatching(/^eas_secret_[\w-]{43}$/)]);
    expect(response.headers.get('location')).toMatch(new RegExp(`/admin/api/clients/${client.id}$`));
    expect(client).toMatchObject({ ...body, tier: 'standard', rate_limit: null, is_public: false });
    const read = await gateway.get(`/admin/api/clients/${client.id}`);
    expect([read.body, read.headers.get('etag')]).toEqual([client, '"1"']);
    expect((await gateway.get('/admin/api/clients?is_public=false')).text).not.toContain(secret);
    expect(await auditOf(client.id)).toEqual(['oauth_client.created']);
  });

  it('that are public have no secret', async () => {
    const client = await gateway.make('/admin/api/clients', { ...body, is_public: true });
    expect(client).not.toHaveProperty('client_secret');
    const rotated = await gateway.post(`/admin/api/clients/${client.id}/rotate-secret`, undefined);
    expectError(rotated, 409, 'conflict', { field: 'id', constraint: 'state' });
    const listed = await gateway.get(`/admin/api/clients?is_public=true&sort=-is_public&id=${client.id}`);
    expect(listed.body.data).toEqual([client]);
  });

  it('may have no address that codes would leak to, and no more than 20', async () => {
    const rows = await gateway.rows();
    const post = (redirectUris: string[]) =>
      gateway.post('/admin/api/clients', { ...body, redirect_uris: redirectUris });
    expectError(await post([redirectUri, 'http://shop.example.com/']), 400, 'invalid_input', {
      field: 'redirect_uris.1',
      constraint: 'format',
    });
    expectError(await post([]), 400, 'invalid_input', { field: 'redirect_uris', constraint: 'min_length' });
    const many = Array.from({ length: 21 }, (_, index) => `https://example.com/${index}`);
    expectError(await post(many), 400, 'invalid_input', { field: 'redirect_uris', constraint: 'max_length' });
    expect(await gateway.rows()).toEqual(rows);
  });

  it('get no scope that their maker lacks', async () => {
    const key = await gateway.makeKey(['admin', 'tasks:read']);
    const more = { ...body, scopes: ['tasks:read', 'tasks:write'] };
    expectError(await gateway.post('/admin/api/clients', more, { key }), 403, 'forbidden');
    const { id } = await gateway.make('/admin/api/clients', body, { key });
    const path = `/admin/api/clients/${id}`;
    const patch = (fields: object) => gateway.send('PATCH', path, JSON.stringify(fields), { key });
    expectError(await patch({ scopes: more.scopes }), 403, 'forbidden');
    const other = await gateway.make('/admin/api/clients', { ...body, scopes: ['webhooks:read'] });
    const rotate = `/admin/api/clients/${other.id}/rotate-secret`;
    expectError(await gateway.post(rotate, undefined, { key }), 403, 'forbidden');
    // Codes that go to a new address would open to its owner what the maker lacks.
    const redirect = (uris: string[]) =>
      gateway.send('PATCH', `/admin/api/clients/${other.id}`, JSON.stringify({ redirect_uris: uris }), { key });
    expectError(await redirect([redirectUri, 'https://evil.example.com/']), 403, 'forbidden');
    expect((await redirect([redirectUri])).status).toBe(200);
    expect((await patch({ name: 'Other shop', rate_limit: 5 })).body).toMatchObject({
      name: 'Other shop',
      rate_limit: 5,
      scopes: ['tasks:read'],
    });
    expect((await patch({ rate_limit: null })).body.rate_limit).toBeNull();
  });

  it('change only as the version that was read', async () => {
    const { id } = await gateway.make('/admin/api/clients', body);
    const path = `/admin/api/clients/${id}`;
    const change = (tag: string) =>
      gateway.send('PATCH', path, JSON.stringify({ tier: 'basic' }), { headers: { 'if-match': tag } });
    expect((await change('"1"')).headers.get('etag')).toBe('"2"');
    expectError(await change('"1"'), 412, 'invalid_request', { field: 'If-Match', constraint: 'version' });
    expectError(await gateway.send('PATCH', path, JSON.stringify({ redirect_uris: ['x'] })), 400, 'invalid_input', {
      field: 'redirect_uris.0',
      constraint: 'format',
    });
    expect(await auditOf(id)).toEqual(['oauth_client.created', 'oauth_client.changed']);
  });

  it('get a new secret, and the old one is refused at once', async () => {
    const client = await scene.makeClient();
    const code = await scene.codeFor(client);
    const rotated = await gateway.post(`/admin/api/clients/${client.id}/rotate-secret`, undefined);
    expect(rotated.status).toBe(200);
    expect((await scene.exchange(client, code)).body.error).toBe('invalid_client');
    expect((await scene.exchange({ ...client, secret: rotated.body.client_secret }, code)).status).toBe(200);
  });

  it('are gone once deleted, with all that they were granted', async () => {
    const client = await scene.makeClient();
    await scene.tokensFor(client);
    const path = `/admin/api/clients/${client.id}`;
    expect((await gateway.send('DELETE', path)).status).toBe(204);
    expectError(await gateway.get(path), 404, 'not_found');
    expectError(await gateway.send('DELETE', path), 404, 'not_found');
    const { browser } = await scene.signedIn();
    expect((await scene.ask(browser, client)).status).toBe(400);
    const rows = await gateway.test.database.db.query('SELECT 1 FROM oauth_records WHERE client_id = $1', [client.id]);
    expect(rows).toEqual([]);
    expect((await auditOf(client.id)).at(-1)).toBe('oauth_client.deleted');
  });
});
