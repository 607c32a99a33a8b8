import { describe, expect, it } from '@jest/globals';
import { baseUrl, expectError, type Json, useGateway } from '../gateway.ts';

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
    const secret = 'a secret that is not shown';
    const { status, body, text, headers } = await gateway.post('/v1/integrations', { ...sent, secret });
    const receiver = { taskplatform: 'taskplatform', github: 'sourcehost' }[sent.type];
    const inboundUrl = `${baseUrl}/webhook/${receiver}/${body.id}`;
    expect([status, body]).toEqual([201, { ...own, ...shown, inbound_url: inboundUrl }]);
    expect(headers.get('location')).toBe(`${baseUrl}/v1/integrations/${body.id}`);
    expect(text).not.toContain(secret);
    const one = await gateway.get(`/v1/integrations/${body.id}`);
    expect([one.status, one.body, one.headers.get('etag')]).toEqual([200, body, '"1"']);
    expect(one.text).not.toContain(secret);
    const list = await gateway.get('/v1/integrations');
    expect(Object.keys(list.body)).toEqual(['data']);
    expect(list.body.data[0]).toEqual(body);
    expect(list.text).not.toContain(secret);
  });

  it('connect a chat workspace with its channels', async () => {
    const sent = { type: 'slack', workspace_name: 'Acme', channels: ['#dev'], token: 'xoxb-secret' };
    const { body, text } = await gateway.post('/v1/integrations', sent);
    expect(body.inbound_url).toBe(`${baseUrl}/webhook/chat/${body.id}`);
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

  it('are filtered and sorted by what they show, those without a value last', async () => {
    const tenantId = await gateway.test.createTenant();
    const key = await gateway.makeKey(['integrations:read', 'integrations:write'], { tenantId });
    const bodies = [
      { type: 'github', org_name: 'beta', secret: 's' },
      { type: 'slack', workspace_name: 'Acme' },
      { type: 'github', org_name: 'acme', secret: 's' },
      { type: 'taskplatform', webhook_id: 'w', secret: 's' },
    ];
    const made: Json[] = [];
    for (const body of bodies) made.push(await gateway.make('/v1/integrations', body, { key }));
    const [beta, slack, acme, platform] = made.map(({ id }) => id);
    const ids = async (query: string) =>
      (await gateway.get(`/v1/integrations?${query}`, { key })).body.data.map(({ id }: Json) => id);
    expect(await ids('sort=org_name')).toEqual([acme, beta, slack, platform]);
    expect(await ids('sort=-org_name')).toEqual([beta, acme, platform, slack]);
    expect(await ids('sort=connected_at')).toEqual([beta, slack, acme, platform]);
    expect(await ids('type=github&sort=id')).toEqual([beta, acme]);
    expect(await ids('workspace_name=Acme')).toEqual([slack]);
    expect(await ids('webhook_id=w')).toEqual([platform]);
    expect(await ids(`id=${acme}`)).toEqual([acme]);
    expect(await ids(`connected_at=${made[0].connected_at}&id=${beta}`)).toEqual([beta]);
    expect(await ids('status=active&limit=2&offset=1')).toEqual([acme, slack]);
    for (const none of ['type=fax', 'status=unknown', 'status_reason=x', 'org_name=none'])
      expect(await ids(none)).toEqual([]);
    for (const refused of ['after=', 'sort=created_at', 'sort=secret', 'secret=s']) {
      const [field = ''] = refused.split('=');
      const constraint = field === 'sort' ? 'enum' : 'unknown_field';
      const response = await gateway.get(`/v1/integrations?${refused}`, { key });
      expectError(response, 400, 'invalid_request', { field, constraint });
    }
  });

  it.each<[Json, string, string]>([
    [{}, 'type', 'required'],
    [{ type: 'fax' }, 'type', 'enum'],
    [{ type: 'taskplatform' }, 'secret', 'required'],
    [{ type: 'taskplatform', secret: '' }, 'secret', 'required'],
    [{ type: 'taskplatform', secret: 's'.repeat(257) }, 'secret', 'max_length'],
    [{ type: 'taskplatform', secret: 'the secret of the platform\n' }, 'secret', 'format'],
    [{ type: 'taskplatform', secret: 's', token: ' pk_1' }, 'token', 'format'],
    [{ type: 'slack', workspace_name: 'x', token: 'xoxb-\u2013' }, 'token', 'format'],
    [{ type: 'slack', workspace_name: 'x', signing_secret: 'a\r\nb' }, 'signing_secret', 'format'],
    [{ type: 'taskplatform', secret: 's', org_name: 'x' }, 'org_name', 'unknown_field'],
    [{ type: 'taskplatform', secret: 's', status_map: { done: 'maybe' } }, 'status_map.done', 'enum'],
    [{ type: 'github', secret: 's' }, 'org_name', 'required'],
    [{ type: 'github', secret: 's', org_name: 'x', repositories: 'web' }, 'repositories', 'type'],
    [{ type: 'slack', workspace_name: 'x', webhook_url: 'ftp://chat.example' }, 'webhook_url', 'format'],
    [{ type: 'slack', workspace_name: 'x', webhook_url: 'https://10.1.2.3/services/x' }, 'webhook_url', 'format'],
    [{ type: 'slack', workspace_name: 'x', webhook_url: 'https://a:b@chat.example/x' }, 'webhook_url', 'format'],
    [{ type: 'slack', workspace_name: 'x', webhook_url: 'https://chat.example:25/x' }, 'webhook_url', 'format'],
  ])('refuse %j', async (body, field, constraint) => {
    const before = await gateway.rows();
    expectError(await gateway.post('/v1/integrations', body), 400, 'invalid_input', { field, constraint });
    expect(await gateway.rows()).toEqual(before);
  });
});

const patch = (id: string, body: Json, ifMatch?: string) =>
  gateway.send('PATCH', `/v1/integrations/${id}`, JSON.stringify(body), {
    headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
  });
const platform = { type: 'taskplatform', secret: 'the secret of the platform', token: 'the token of the platform' };
let webhooks = 0;
const connect = async (over: Json = {}): Promise<Json> =>
  gateway.make('/v1/integrations', { ...platform, webhook_id: `patched-${(webhooks += 1)}`, ...over });

describe('a change of an integration', () => {
  it('merges the fields of its type and counts its version up', async () => {
    const made = await connect({ status_map: { Shipped: 'completed', Parked: 'hold' } });
    const response = await patch(made.id, { status_map: { PARKED: null, Dropped: 'cancelled' } });
    const expected = { ...made, status_map: { shipped: 'completed', dropped: 'cancelled' } };
    expect([response.status, response.body, response.headers.get('etag')]).toEqual([200, expected, '"2"']);
    const { webhook_id: _id, status_map: _map, ...bare } = made;
    expect((await patch(made.id, { webhook_id: null, status_map: null })).body).toEqual(bare);
    expect((await gateway.get(`/v1/integrations/${made.id}`)).body).toEqual(bare);
  });

  it('merges write_back field by field; null removes a field, false is a rule of its own', async () => {
    const made = await connect({ write_back: { status: { completed: 'shipped' }, comments: false } });
    const after = async (write_back: Json) => (await patch(made.id, { write_back })).body.write_back;
    expect(await after({ comments: true })).toEqual({ status: { completed: 'shipped' }, comments: true });
    expect(await after({ status: { completed: false } })).toEqual({ status: { completed: false }, comments: true });
    expect(await after({ status: { completed: null } })).toEqual({ comments: true });
    expect(await after({ comments: null })).toBeUndefined();
    expect(await after({ status: { completed: 'done' } })).toEqual({ status: { completed: 'done' } });
    expect(await after(null)).toBeUndefined();
    for (const refused of [{ status: { completed: true } }, { status: { completed: '' } }, { later: 1 }])
      expect((await patch(made.id, { write_back: refused })).status).toBe(400);
  });

  it('empties a list with null', async () => {
    const body = { type: 'slack', workspace_name: 'A', channels: ['#a'], token: 'the token of the chat' };
    const made = await gateway.make('/v1/integrations', body);
    expect((await patch(made.id, { channels: null, events: ['task.*'], webhook_url: null })).body).toEqual({
      ...made,
      channels: [],
      events: ['task.*'],
    });
  });

  it('takes no address of a chat that the service would not call', async () => {
    const made = await gateway.make('/v1/integrations', { type: 'slack', workspace_name: 'A' });
    expect((await patch(made.id, { webhook_url: 'http://127.0.0.1:8080/services/x' })).status).toBe(200);
    const before = await gateway.rows();
    for (const webhook_url of ['https://169.254.169.254/latest', 'https://[fd00::1]/x', 'https://chat.example:6379/x'])
      expectError(await patch(made.id, { webhook_url }), 400, 'invalid_input', {
        field: 'webhook_url',
        constraint: 'format',
      });
    expect(await gateway.rows()).toEqual(before);
  });

  it('takes back what was read, and writes nothing when nothing differs', async () => {
    const made = await connect({ status_map: { Shipped: 'completed' } });
    const rows = await gateway.rows();
    for (const body of [made, {}, { status_map: { SHIPPED: 'completed' }, status: 'active' }]) {
      const response = await patch(made.id, body);
      expect([response.body, response.headers.get('etag')]).toEqual([made, '"1"']);
    }
    expect(await gateway.rows()).toEqual(rows);
  });

  it('replaces a secret, clears a token, and shows neither', async () => {
    const made = await connect();
    const sealed = async () =>
      (
        await gateway.test.database.db.query<Json>('SELECT secret, token FROM integrations WHERE id = $1', [made.id])
      )[0];
    const before = await sealed();
    const response = await patch(made.id, { secret: 'another secret of the platform', token: null });
    expect([response.status, response.body]).toEqual([200, made]);
    const after = await sealed();
    expect([after.token, after.secret === before.secret, after.secret.startsWith('v1.')]).toEqual([null, false, true]);
    await patch(made.id, { token: 'another token of the platform' });
    expect(await sealed()).toEqual({ secret: after.secret, token: expect.stringMatching(/^v1\./) });
    expect(JSON.stringify([response.text, await sealed()])).not.toMatch(/of the platform/);
  });

  it('switches it off and on', async () => {
    const made = await connect();
    expect((await patch(made.id, { status: 'disconnected' })).body).toEqual({ ...made, status: 'disconnected' });
    expect((await patch(made.id, { status: 'active' })).body).toEqual(made);
  });

  it('is refused for a webhook that another one has', async () => {
    const [one, other] = [await connect(), await connect()];
    const before = await gateway.get('/v1/integrations');
    const response = await patch(other.id, { webhook_id: one.webhook_id });
    expectError(response, 409, 'conflict', { field: 'webhook_id', constraint: 'exists' });
    expect((await gateway.get('/v1/integrations')).body).toEqual(before.body);
  });

  it.each<[Json, string, string]>([
    [{ type: 'github' }, 'type', 'enum'],
    [{ type: 'fax' }, 'type', 'enum'],
    [{ status: 'degraded' }, 'status', 'enum'],
    [{ org_name: 'acme' }, 'org_name', 'unknown_field'],
    [{ webhook_url: 'https://a.example' }, 'webhook_url', 'unknown_field'],
    [{ secret: null }, 'secret', 'required'],
    [{ secret: '' }, 'secret', 'required'],
    [{ token: '' }, 'token', 'required'],
    [{ webhook_id: 7 }, 'webhook_id', 'type'],
    [{ status_map: { done: 'maybe' } }, 'status_map.done', 'enum'],
    [
      { status_map: Object.fromEntries(Array.from({ length: 201 }, (_, n) => [n, 'open'])) },
      'status_map',
      'max_length',
    ],
    [{ surprise: 1 }, 'surprise', 'unknown_field'],
  ])('is refused for %j', async (body, field, constraint) => {
    const made = await connect();
    expectError(await patch(made.id, body), 400, 'invalid_input', { field, constraint });
    const after = await gateway.get(`/v1/integrations/${made.id}`);
    expect([after.body, after.headers.get('etag')]).toEqual([made, '"1"']);
  });

  it('is refused when words are merged to more than there may be', async () => {
    const words = (from: number) => Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`w${from + n}`, 'open']));
    const made = await connect({ status_map: words(0) });
    const response = await patch(made.id, { status_map: words(100) });
    expectError(response, 400, 'invalid_input', { field: 'status_map', constraint: 'max_length' });
  });

  it('and a deletion are refused for a version that is not the present one, and pass for one that is', async () => {
    const { id } = await connect();
    const versioned = [412, 'invalid_request', { field: 'If-Match', constraint: 'version' }] as const;
    const remove = (ifMatch: string) =>
      gateway.send('DELETE', `/v1/integrations/${id}`, undefined, { headers: { 'if-match': ifMatch } });
    expect((await patch(id, { webhook_id: null }, '"1"')).status).toBe(200);
    for (const stale of ['"1"', 'W/"1"', 'nonsense']) {
      expectError(await patch(id, { webhook_id: null }, stale), ...versioned);
      expectError(await remove(stale), ...versioned);
    }
    expect((await patch(id, { token: 'yet another token' }, '*')).status).toBe(200);
    expect((await remove('"1", "3"')).status).toBe(204);
  });
});

describe('a deleted integration', () => {
  it('is 404 for every call, is not listed, and its row is kept', async () => {
    const { id } = await connect();
    const gone = await gateway.send('DELETE', `/v1/integrations/${id}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    for (const response of [
      await gateway.get(`/v1/integrations/${id}`),
      await patch(id, { token: null }),
      await gateway.send('DELETE', `/v1/integrations/${id}`),
    ])
      expectError(response, 404, 'not_found');
    expect((await gateway.get(`/v1/integrations?id=${id}`)).body.data).toEqual([]);
    const kept = 'SELECT FROM integrations WHERE id = $1 AND deleted_at IS NOT NULL';
    expect(await gateway.test.database.db.query(kept, [id])).toHaveLength(1);
  });
});
