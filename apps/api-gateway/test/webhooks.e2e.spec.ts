import { subscribableEventTypes } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import { baseUrl, expectError, type Json, useGateway } from './gateway.ts';

const gateway = useGateway();
const least = { url: 'https://hooks.example.com/eas', events: ['task.created'] };

describe('POST /v1/webhooks', () => {
  it('registers the interface’s body and never returns the secret that came with it', async () => {
    const sent = {
      ...least,
      events: ['task.created', 'task.completed', 'pr.opened'],
      secret: 'a secret of the caller',
    };
    const { status, body, headers, text } = await gateway.post('/v1/webhooks', sent);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^whk_[0-9a-z]{26}$/),
      url: sent.url,
      description: null,
      events: sent.events,
      header_names: [],
      ordering: 'none',
      max_per_second: null,
      status: 'active',
      status_reason: null,
      status_changed_at: null,
      failing_since: null,
      failures_in_row: 0,
      last_success_at: null,
      last_failure_at: null,
      previous_secret_until: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
    });
    expect(text).not.toContain(sent.secret);
    expect(headers.get('location')).toBe(`${baseUrl}/v1/webhooks/${body.id}`);
    expect((await gateway.get(`/v1/webhooks/${body.id}`)).body).toEqual(body);
  });

  it('makes a secret when none came and shows it this once', async () => {
    const made = await gateway.make('/v1/webhooks', least);
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32,}=*$/);
    const { secret, ...shown } = made;
    const response = await gateway.get(`/v1/webhooks/${made.id}`);
    expect(response.body).toEqual(shown);
    expect(response.text).not.toContain(secret);
    expect((await gateway.get('/v1/webhooks')).text).not.toContain(secret);
  });

  it('takes a description, headers, an order and a rate, and never returns the values of headers', async () => {
    const settings = { description: 'Updates the board.', ordering: 'task', max_per_second: 10 };
    const headers = { Authorization: 'Bearer of-the-receiver', 'x-Team': 'a, b' };
    const { status, body, text } = await gateway.post('/v1/webhooks', { ...least, ...settings, headers });
    expect([status, body]).toEqual([201, expect.objectContaining(settings)]);
    expect(body.header_names).toEqual(['Authorization', 'x-Team']);
    const texts = [text, (await gateway.get(`/v1/webhooks/${body.id}`)).text, (await gateway.get('/v1/webhooks')).text];
    for (const shown of texts) expect(shown).not.toContain('of-the-receiver');
  });

  it('takes the text of 16 characters that the interface shows as a secret', async () => {
    expect((await gateway.post('/v1/webhooks', { ...least, secret: '<WEBHOOK_SECRET>' })).status).toBe(201);
  });

  it('takes every listed type, families and all, and no other', async () => {
    for (const type of subscribableEventTypes) await gateway.make('/v1/webhooks', { ...least, events: [type] });
    const wide = ['task.*', 'workflow.*', 'pr.*', 'agent.*', 'webhook.*', 'ping', '*'];
    expect((await gateway.make('/v1/webhooks', { ...least, events: wide })).events).toEqual(wide);
    for (const unknown of ['task.exploded', 'task', 'tas*', '*.created', 'inbound.received', 'Task.Created'])
      expectError(
        await gateway.post('/v1/webhooks', { ...least, events: ['task.created', unknown] }),
        400,
        'invalid_input',
        {
          field: 'events.1',
          constraint: 'enum',
        },
      );
  });

  it.each([
    ['not a url', 'nonsense'],
    ['another scheme', 'ftp://example.com/'],
    ['a path alone', '/hooks'],
    ['a private address', 'https://10.0.0.1/'],
    ['a private address in disguise', 'https://0xa9fea9fe/'],
    ['an IPv6 address of a link', 'https://[fe80::1]/'],
    ['credentials', 'https://user:pass@example.com/'],
  ])('refuses %s as the url', async (_name, url) => {
    const response = await gateway.post('/v1/webhooks', { ...least, url });
    expectError(response, 400, 'invalid_input', { field: 'url', constraint: 'format' });
  });

  it('takes events only of what the key may read', async () => {
    const key = await gateway.makeKey(['webhooks:write', 'tasks:read']);
    expect((await gateway.post('/v1/webhooks', least, { key })).status).toBe(201);
    for (const events of [['pr.opened'], ['*'], ['task.created', 'agent.presence_changed']]) {
      const response = await gateway.post('/v1/webhooks', { ...least, events }, { key });
      expectError(response, 403, 'forbidden');
      expect(response.body.error.message).toMatch(/integrations:read|agents:read/);
    }
  });
});

describe('GET /v1/webhooks', () => {
  it('lists, filters, sorts and pages the tenant’s own', async () => {
    const tenantId = await gateway.test.createTenant();
    const key = await gateway.makeKey(['webhooks:read', 'webhooks:write', 'tasks:read'], { tenantId });
    const made: Json[] = [];
    for (const name of ['b', 'a', 'c'])
      made.push(
        await gateway.make(
          '/v1/webhooks',
          { ...least, url: `https://${name}.example/`, secret: 'a secret of some length' },
          { key },
        ),
      );
    const list = async (query = '') => (await gateway.get(`/v1/webhooks?${query}`, { key })).body;
    expect(await list()).toEqual({ data: made.toReversed(), metadata: { total: 3, limit: 20, offset: 0 } });
    expect((await list('sort=url')).data.map(({ url }: Json) => url[8])).toEqual(['a', 'b', 'c']);
    for (const field of ['id', 'url', 'ordering', 'failures_in_row', 'created_at', 'updated_at'])
      expect((await list(String(new URLSearchParams({ [field]: made[1][field] })))).data).toContainEqual(made[1]);
    expect((await list('status=paused')).metadata.total).toBe(0);
    expect((await list('status=of_a_later_version')).metadata.total).toBe(0);
    expect((await list('sort=-last_failure_at&max_per_second=1')).metadata.total).toBe(0);
    expect((await list('status=active&limit=1')).metadata).toEqual({ total: 3, limit: 1, offset: 0 });
    const first = await list('after=&limit=2&sort=created_at');
    expect(first.pagination).toEqual({ total_count: 3, limit: 2, has_more: true, next_cursor: expect.any(String) });
    expect((await list(`after=${made[1].id}&limit=2&sort=created_at`)).data).toEqual([made[2]]);
    expectError(await gateway.get(`/v1/webhooks/${made[0].id}`), 404, 'not_found');
    expect((await gateway.get(`/v1/webhooks?after=${made[0].id}`)).status).toBe(400);
  });
});
