import { publicEventTypes, scopes } from '@eas/contracts';
import { startWebhookSink } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { verify } from '@octokit/webhooks-methods';
import { expectError, type Json, useGateway } from '../gateway.ts';

const gateway = useGateway();
const secret = 'a secret of the caller';
const least = { url: 'https://hooks.example.com/eas', events: ['task.created'], secret };

const make = (body: object = {}): Promise<Json> => gateway.make('/v1/webhooks', { ...least, ...body });
const pathOf = ({ id }: { id: string }, action = '') => `/v1/webhooks/${id}${action}`;
const read = async (webhook: { id: string }) => (await gateway.get(pathOf(webhook))).body;
const patch = (webhook: { id: string }, body: object, headers: Record<string, string> = {}) =>
  gateway.send('PATCH', pathOf(webhook), JSON.stringify(body), { headers });
const remove = (webhook: { id: string }, headers: Record<string, string> = {}) =>
  gateway.send('DELETE', pathOf(webhook), undefined, { headers });
const act = (webhook: { id: string }, action: string, body: object = {}, headers: Record<string, string> = {}) =>
  gateway.post(pathOf(webhook, `/${action}`), body, { headers });
const auditOf = async ({ id }: { id: string }): Promise<Json[]> =>
  (await gateway.get(`/admin/api/audit?target_id=${id}&sort=id`)).body.data;

describe('PATCH /v1/webhooks/{webhook_id}', () => {
  it('changes what is given, takes back what was read, and gives the next version', async () => {
    const webhook = await make();
    const seen = await gateway.get(pathOf(webhook));
    const changed = await patch(webhook, { ...seen.body, events: ['task.*'], description: 'Board.' });
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"']);
    expect(changed.body).toEqual({
      ...seen.body,
      events: ['task.*'],
      description: 'Board.',
      updated_at: changed.body.updated_at,
    });
    expect(await read(webhook)).toEqual(changed.body);
    const [made, entry] = await auditOf(webhook);
    expect([made.action, entry.action]).toEqual(['webhook.created', 'webhook.changed']);
    expect(entry.data).toMatchObject({ events: ['task.*'], description: 'Board.' });
  });

  it('clears what is null', async () => {
    const webhook = await make({ description: 'x', headers: { 'X-Team': 'a' }, ordering: 'task', max_per_second: 3 });
    const { body } = await patch(webhook, { description: null, headers: null, ordering: null, max_per_second: null });
    expect(body).toMatchObject({ description: null, header_names: [], ordering: 'none', max_per_second: null });
  });

  it('keeps the values of headers out of the response and the audit log', async () => {
    const webhook = await make();
    const { body, text } = await patch(webhook, { headers: { 'X-Key': 'of-the-receiver' } });
    expect([body.header_names, text.includes('of-the-receiver')]).toEqual([['X-Key'], false]);
    const [, entry] = await auditOf(webhook);
    expect(entry.data).toEqual({ header_names: ['X-Key'] });
  });

  it('shows what the query of an address says to who reads the webhook itself, and nowhere else', async () => {
    const url = 'https://hooks.example.com/eas?token=of-the-receiver&env=prod';
    const webhook = await make({ url });
    expect((await read(webhook)).url).toBe(url);
    const masked = 'https://hooks.example.com/eas?token=***&env=***';
    const { body: list } = await gateway.get('/v1/webhooks?limit=100');
    expect(list.data.find(({ id }: Json) => id === webhook.id).url).toBe(masked);
    await patch(webhook, { url: masked, description: 'as the list shows it' });
    expect((await read(webhook)).url).toBe(url);
    await patch(webhook, { url: `${url}2` });
    await act(webhook, 'disable');
    const { db } = gateway.test.database;
    const [event] = await db.query<{ data: string }>(
      `SELECT data::text FROM events WHERE event_type = 'webhook.disabled' AND data ->> 'webhook_id' = $1`,
      [webhook.id],
    );
    expect(event?.data).toContain('token=***');
    const recorded = JSON.stringify([await auditOf(webhook), event]);
    expect(recorded).toContain(masked);
    expect(recorded).not.toContain('of-the-receiver');
  });

  it('is 412 for another version, and writes nothing and no audit entry where nothing differs', async () => {
    const webhook = await make();
    const rows = await gateway.rows();
    expectError(await patch(webhook, { description: 'x' }, { 'if-match': '"7"' }), 412, 'invalid_request', {
      field: 'If-Match',
      constraint: 'version',
    });
    expect((await patch(webhook, { url: least.url }, { 'if-match': '"1"' })).headers.get('etag')).toBe('"1"');
    expect(await gateway.rows()).toEqual(rows);
  });

  it('needs the scopes of all events for another address', async () => {
    const webhook = await make({ events: ['pr.opened'] });
    const key = await gateway.makeKey(['webhooks:write', 'tasks:read']);
    const body = JSON.stringify({ url: 'https://elsewhere.example.com/' });
    expectError(await gateway.send('PATCH', pathOf(webhook), body, { key }), 403, 'forbidden');
    const other = JSON.stringify({ description: 'x' });
    expect((await gateway.send('PATCH', pathOf(webhook), other, { key })).status).toBe(200);
  });
});

const names = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x-${n}`, 'v']));
const large = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`x-${n}`, 'v'.repeat(1_000)]));
const wrong: [string, object, string, string][] = [
  ['a bad url', { url: 'nonsense' }, 'url', 'format'],
  ['a private address', { url: 'https://192.168.1.1/' }, 'url', 'format'],
  ['an unknown event', { events: ['task.exploded'] }, 'events.0', 'enum'],
  ['an unknown family', { events: ['task.*', 'invoice.*'] }, 'events.1', 'enum'],
  ['no events', { events: [] }, 'events', 'min_length'],
  ['a long description', { description: 'x'.repeat(501) }, 'description', 'max_length'],
  ['an unknown order', { ordering: 'strict' }, 'ordering', 'enum'],
  ['a rate of 0', { max_per_second: 0 }, 'max_per_second', 'min'],
  ['a rate of 1001', { max_per_second: 1_001 }, 'max_per_second', 'max'],
  ['headers that are no object', { headers: ['X-Team: a'] }, 'headers', 'type'],
  ['too many headers', { headers: names }, 'headers', 'max_length'],
  ['too large headers', { headers: large }, 'headers', 'max_size'],
  ['a header with a line break', { headers: { 'X-Team': 'a\r\nX-Other: b' } }, 'headers.X-Team', 'pattern'],
  ['a header with a letter beyond ASCII', { headers: { 'X-Team': 'ü' } }, 'headers.X-Team', 'pattern'],
  ['a long header', { headers: { 'X-Team': 'a'.repeat(1_025) } }, 'headers.X-Team', 'max_length'],
  ['a header name with a blank', { headers: { 'X Team': 'a' } }, 'headers.X Team', 'pattern'],
  ['a header twice', { headers: { 'X-Team': 'a', 'x-team': 'b' } }, 'headers.x-team', 'format'],
  ...['Content-Type', 'content-encoding', 'Host', 'TE', 'proxy-authorization', 'X-Service-Signature', 'Webhook-Id'].map(
    (name): [string, object, string, string] => [
      `the header ${name}`,
      { headers: { [name]: 'a' } },
      `headers.${name}`,
      'format',
    ],
  ),
];

describe('bad input', () => {
  it.each(wrong)(
    'with %s is 400 naming the field, for a new webhook and a change',
    async (_name, body, field, constraint) => {
      const webhook = await make();
      const rows = await gateway.rows();
      for (const response of [await gateway.post('/v1/webhooks', { ...least, ...body }), await patch(webhook, body)])
        expectError(response, 400, 'invalid_input', { field, constraint });
      expect(await gateway.rows()).toEqual(rows);
    },
  );

  it('lists the known events', async () => {
    const { body } = await patch(await make(), { events: ['task.exploded'] });
    for (const type of publicEventTypes) expect(body.error.message).toContain(type);
  });

  it('is a secret that is too short, and any secret in a change', async () => {
    const webhook = await make();
    const short = { field: 'secret', constraint: 'min_length' };
    const rows = await gateway.rows();
    const fifteen = { secret: 'fifteen letters' };
    expectError(await gateway.post('/v1/webhooks', { ...least, ...fifteen }), 400, 'invalid_input', short);
    expectError(await act(webhook, 'rotate-secret', fifteen), 400, 'invalid_input', short);
    expectError(await patch(webhook, { secret }), 400, 'invalid_input', {
      field: 'secret',
      constraint: 'unknown_field',
    });
    expect(await gateway.rows()).toEqual(rows);
  });
});

describe('DELETE /v1/webhooks/{webhook_id}', () => {
  it('removes it: 404 from then on, also for every action', async () => {
    const webhook = await make();
    expect((await remove(webhook, { 'if-match': '"2"' })).status).toBe(412);
    expect((await remove(webhook, { 'if-match': '"1"' })).status).toBe(204);
    expectError(await gateway.get(pathOf(webhook)), 404, 'not_found');
    expectError(await patch(webhook, {}), 404, 'not_found');
    expectError(await remove(webhook), 404, 'not_found');
    for (const action of ['enable', 'disable', 'rotate-secret', 'test'])
      expectError(await act(webhook, action), 404, 'not_found');
    expect((await gateway.get(`/v1/webhooks?id=${webhook.id}`)).body.data).toEqual([]);
    expect((await auditOf(webhook)).map(({ action }) => action)).toEqual(['webhook.created', 'webhook.deleted']);
  });
});

describe('POST …/disable and …/enable', () => {
  it('switch a webhook off and on, each once', async () => {
    const webhook = await make();
    expectError(await act(webhook, 'disable', {}, { 'if-match': '"9"' }), 412, 'invalid_request', {
      field: 'If-Match',
      constraint: 'version',
    });
    const disabled = await act(webhook, 'disable');
    expect([disabled.status, disabled.headers.get('etag')]).toEqual([200, '"2"']);
    expect(disabled.body).toMatchObject({ status: 'disabled', status_reason: 'requested' });
    expect((await act(webhook, 'disable')).body).toEqual(disabled.body);
    const enabled = await act(webhook, 'enable', {}, { 'if-match': '"2"' });
    expect([enabled.status, enabled.body.status, enabled.body.status_reason]).toEqual([200, 'active', null]);
    expect((await act(webhook, 'enable')).body).toEqual(enabled.body);
    expect((await auditOf(webhook)).map(({ action }) => action)).toEqual([
      'webhook.created',
      'webhook.disabled',
      'webhook.enabled',
    ]);
  });
});

describe('POST …/rotate-secret', () => {
  it('makes a secret and shows it this once', async () => {
    const webhook = await make();
    const { status, body, headers } = await act(webhook, 'rotate-secret');
    expect([status, headers.get('etag'), body.secret]).toEqual([200, '"2"', expect.stringMatching(/^whsec_/)]);
    expect(Date.parse(body.previous_secret_until)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    const { secret: made, ...shown } = body;
    const again = await gateway.get(pathOf(webhook));
    expect([again.body, again.text.includes(made)]).toEqual([shown, false]);
    const [, entry] = await auditOf(webhook);
    expect([entry.action, entry.data]).toEqual(['webhook.rotated', {}]);
  });

  it.each([
    'whsec_',
    'whsec_this is no base64',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAA',
    'v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    ' a-secret-of-16-or-more-characters',
    'a-secret-of-16-or-more-characters\n',
  ])('refuses %j, with which no receiver can verify, as the creation does', async (unusable) => {
    const webhook = await make();
    const before = await gateway.rows();
    const details = { field: 'secret', constraint: 'format' };
    expectError(await act(webhook, 'rotate-secret', { secret: unusable }), 400, 'invalid_input', details);
    const created = await gateway.post('/v1/webhooks', { ...least, secret: unusable });
    expectError(created, 400, 'invalid_input', details);
    expect(await gateway.rows()).toEqual(before);
  });

  it('never returns a secret that came with it', async () => {
    const next = 'another secret of the caller';
    const { status, text } = await act(await make(), 'rotate-secret', { secret: next });
    expect([status, text.includes(next)]).toEqual([200, false]);
  });
});

describe('POST …/test', () => {
  it('sends a signed ping at once and returns what came back', async () => {
    const sink = await startWebhookSink();
    try {
      sink.respondWith({ status: 202, body: 'thanks' });
      const webhook = await make({ url: `${sink.url}/hook`, headers: { 'X-Team': 'a' } });
      await act(webhook, 'disable');
      const rows = await gateway.rows();
      const { status, body } = await gateway.post(pathOf(webhook, '/test'), {});
      const sent = { event_type: 'ping', outcome: 'delivered', status: 202, response: 'thanks', error: null };
      expect([status, body]).toEqual([200, expect.objectContaining(sent)]);
      const [request] = sink.requests;
      if (!request) throw new Error('no request was received');
      expect(request.headers).toMatchObject({ 'x-team': 'a', 'webhook-id': body.event_id });
      expect(JSON.parse(request.body.toString())).toMatchObject({
        event_type: 'ping',
        data: { webhook_id: webhook.id },
      });
      expect(await verify(secret, request.body.toString(), request.headers['x-service-signature'] ?? '')).toBe(true);
      const other = await act(webhook, 'test', { event_type: 'task.completed' });
      expect(other.body).toMatchObject({ event_type: 'task.completed', outcome: 'delivered' });
      expect(await gateway.rows()).toEqual(rows);
    } finally {
      await sink.close();
    }
  });

  it('returns 200 with the reason when nothing listens there', async () => {
    const gone = await startWebhookSink();
    await gone.close();
    const webhook = await make({ url: gone.url });
    const { status, body } = await act(webhook, 'test');
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ outcome: 'refused', status: null, response: null }),
    ]);
  });

  it('refuses a type that is not sent, and lists those that are', async () => {
    const webhook = await make();
    for (const type of ['task.exploded', 'task.*', 'inbound.received']) {
      const response = await act(webhook, 'test', { event_type: type });
      expectError(response, 400, 'invalid_input', { field: 'event_type', constraint: 'enum' });
      for (const known of publicEventTypes) expect(response.body.error.message).toContain(known);
    }
  });

  it('needs the scope to write webhooks', async () => {
    const key = await gateway.makeKey(scopes.filter((scope) => scope !== 'webhooks:write'));
    expectError(await gateway.post(pathOf(await make(), '/test'), {}, { key }), 403, 'forbidden');
  });
});
