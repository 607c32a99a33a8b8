import { describe, expect, it } from '@jest/globals';
import { baseUrl, expectError, type Json, useGateway } from '../gateway.ts';

const gateway = useGateway();
const secret = 'a secret that is not shown';
const platform = { type: 'taskplatform', secret };
const chat = { type: 'slack', workspace_name: 'Acme', token: 'xoxb-secret' };
const connect = async (body: Json): Promise<string> => (await gateway.make('/v1/integrations', body)).id;
const rotate = (id: string, body: Json, headers = {}) =>
  gateway.post(`/v1/integrations/${id}/rotate-secret`, body, { headers });
const test = (id: string) => gateway.post(`/v1/integrations/${id}/test`, undefined);

describe('a rotation', () => {
  it('shows a made secret once, and until when the previous one is valid', async () => {
    const id = await connect(platform);
    const { status, body, headers } = await rotate(id, {});
    expect([status, headers.get('etag')]).toEqual([200, '"2"']);
    expect(body).toMatchObject({ id, secret: expect.stringMatching(/^[0-9a-f]{64}$/), status: 'active' });
    const read = await gateway.get(`/v1/integrations/${id}`);
    const { secret: _made, ...rest } = body;
    expect(read.body).toEqual(rest);
    expect(rest.previous_secret_until).toMatch(/Z$/);
    const given = await rotate(id, { secret: 'another secret that is not shown' }, { 'if-match': '"2"' });
    expect([given.status, given.text.includes('not shown')]).toEqual([200, false]);
  });

  it('is refused for what is wrong, and changes nothing', async () => {
    const [id, slack] = [await connect(platform), await connect(chat)];
    const before = await gateway.rows();
    const input = [400, 'invalid_input'] as const;
    expectError(await rotate(id, { secret: '' }), ...input, { field: 'secret', constraint: 'required' });
    expectError(await rotate(id, { secret: 7 }), ...input, { field: 'secret', constraint: 'type' });
    expectError(await rotate(id, { secret: 's'.repeat(257) }), ...input, { field: 'secret', constraint: 'max_length' });
    expectError(await rotate(id, { other: 1 }), ...input, { field: 'other', constraint: 'unknown_field' });
    expectError(await rotate(slack, {}), 409, 'conflict', { field: 'type', constraint: 'state' });
    expectError(await rotate('nothing', {}), 404, 'not_found');
    const version = { field: 'If-Match', constraint: 'version' };
    expectError(await rotate(id, {}, { 'if-match': '"7"' }), 412, 'invalid_request', version);
    expect(await gateway.rows()).toEqual(before);
  });
});

describe('a test', () => {
  it('says whether a signed webhook is accepted, and where', async () => {
    const id = await connect(platform);
    const inbound = {
      integration_id: id,
      inbound_url: `${baseUrl}/webhook/taskplatform/${id}`,
      last_received_at: null,
    };
    const { status, body } = await test(id);
    expect([status, body]).toEqual([200, { ...inbound, is_accepted: true, reason: null }]);
    await rotate(id, {});
    expect((await test(id)).body.is_accepted).toBe(true);
    const { db } = gateway.test.database;
    await db.query("UPDATE integrations SET secret = 'v1.unknown.x.y' WHERE id = $1", [id]);
    expect((await test(id)).body).toEqual({ ...inbound, is_accepted: false, reason: 'secret_not_readable' });
  });

  it('of one that is switched off says so', async () => {
    const id = await connect({ type: 'github', org_name: 'acme', secret });
    const body = JSON.stringify({ status: 'disconnected' });
    await gateway.send('PATCH', `/v1/integrations/${id}`, body);
    expect((await test(id)).body).toMatchObject({ is_accepted: false, reason: 'disconnected' });
  });

  it('of a chat without an address says so, and of one that does not respond', async () => {
    expect((await test(await connect(chat))).body).toMatchObject({ is_accepted: false, reason: 'no_address' });
    const body = (await test(await connect({ ...chat, channels: ['C1'] }))).body;
    expect(body).toMatchObject({ is_accepted: false, reason: 'no_response', error: 'dns', detail: expect.any(String) });
  });

  it('of an unknown one is refused', async () => {
    expectError(await test('nothing'), 404, 'not_found');
  });
});

describe('a silence alarm', () => {
  it.each([
    [0, 'min'],
    [8_761, 'max'],
    [1.5, 'type'],
    ['24', 'type'],
  ])('of %j hours is refused', async (hours, constraint) => {
    const response = await gateway.post('/v1/integrations', { ...platform, silence_alarm_hours: hours });
    expectError(response, 400, 'invalid_input', { field: 'silence_alarm_hours', constraint });
  });

  it('is shown, changed and switched off', async () => {
    const made = await gateway.make('/v1/integrations', { ...platform, silence_alarm_hours: 24 });
    expect(made.silence_alarm_hours).toBe(24);
    const change = (hours: number | null) =>
      gateway.send('PATCH', `/v1/integrations/${made.id}`, JSON.stringify({ silence_alarm_hours: hours }));
    expect((await change(48)).body.silence_alarm_hours).toBe(48);
    expect((await change(null)).body).not.toHaveProperty('silence_alarm_hours');
  });

  it('is no field of a chat workspace', async () => {
    const response = await gateway.post('/v1/integrations', { ...chat, silence_alarm_hours: 24 });
    expectError(response, 400, 'invalid_input', { field: 'silence_alarm_hours', constraint: 'unknown_field' });
  });
});
