import { describe, expect, it } from '@jest/globals';
import { expectError, useGateway } from '../gateway.ts';

const gateway = useGateway();
const bodies: [string, object, object][] = [
  ['/v1/tasks', { title: 'Once', description: 'd' }, { title: 'Twice', description: 'd' }],
  ['/v1/agents', { name: 'Once', role: 'rd' }, { name: 'Twice', role: 'rd' }],
  ['/v1/webhooks', { url: 'https://once.example', events: ['*'] }, { url: 'https://twice.example', events: ['*'] }],
  [
    '/v1/integrations',
    { type: 'taskplatform', webhook_id: 'once', secret: 's' },
    { type: 'taskplatform', webhook_id: 'twice', secret: 's' },
  ],
];
const under = (key: string) => ({ headers: { 'idempotency-key': key } });

describe.each(bodies)('POST %s with an Idempotency-Key', (path, body, other) => {
  it('creates once for any number of calls', async () => {
    const first = await gateway.post(path, body, under('k-1'));
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null]);
    const rows = await gateway.rows();
    const again = await gateway.post(path, body, under('k-1'));
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(await gateway.rows()).toEqual(rows);
  });

  it('refuses another body under the key, and writes nothing', async () => {
    const rows = await gateway.rows();
    const details = { field: 'Idempotency-Key', constraint: 'idempotency_key_reuse' };
    expectError(await gateway.post(path, other, under('k-1')), 409, 'conflict', details);
    expect(await gateway.rows()).toEqual(rows);
  });

  it('creates one resource of many calls at once', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => gateway.post(path, other, under('k-2'))));
    const ids = responses.filter(({ status }) => status === 201).map((response) => response.body.id);
    expect(new Set(ids).size).toBe(1);
    for (const response of responses.filter(({ status }) => status !== 201))
      expectError(response, 409, 'conflict', { field: 'Idempotency-Key', constraint: 'idempotency_in_flight' });
  });

  it('keeps no refusal of the body: a corrected one goes through', async () => {
    expect((await gateway.post(path, {}, under('k-3'))).status).toBe(400);
    const key = await gateway.makeKey(['admin']);
    expect((await gateway.post(path, body, { key, ...under('k-3') })).status).toBe(403);
    const corrected = JSON.parse(JSON.stringify(body).replaceAll(/once/gi, 'others')) as object;
    expect((await gateway.post(path, corrected, under('k-3'))).status).toBe(201);
  });

  it.each([['k'.repeat(256), 'max_length']])('refuses a key that is too long', async (key, constraint) => {
    const details = { field: 'Idempotency-Key', constraint };
    expectError(await gateway.post(path, body, under(key)), 400, 'invalid_request', details);
  });
});

describe('a schema that cannot be used', () => {
  it('is refused under an Idempotency-Key every time; a corrected one goes through', async () => {
    const task = (schema: object) => ({ title: 'Once', description: 'd', contract: { result_schema: schema } });
    const rows = await gateway.rows();
    for (let call = 0; call < 2; call += 1) {
      const refused = await gateway.post('/v1/tasks', task({ $ref: '#/nowhere' }), under('k-4'));
      expect([refused.status, refused.headers.get('idempotent-replayed')]).toEqual([400, null]);
    }
    expect(await gateway.rows()).toEqual(rows);
    expect((await gateway.post('/v1/tasks', task({ type: 'object' }), under('k-4'))).status).toBe(201);
  });
});
