import { scopes } from '@eas/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';

const gateway = useGateway();
const path = '/admin/api/audit';
const password = 'a long enough password';
let key = '';
let keyId = '';
let userId = '';
const options = () => ({ key, headers: { 'x-request-id': 'audit-test-1' } });

beforeAll(async () => {
  const tenantId = await gateway.test.createTenant();
  key = await gateway.makeKey(scopes, { tenantId });
  keyId = (await gateway.make('/admin/api/keys', { name: 'k', scopes: ['tasks:read'] }, options())).id;
  const send = (method: string, to: string, body?: object) =>
    gateway.send(method, to, body && JSON.stringify(body), options());
  await send('PATCH', `/admin/api/keys/${keyId}`, { scopes: ['tasks:write'] });
  await send('POST', `/admin/api/keys/${keyId}/rotate`, {});
  await send('DELETE', `/admin/api/keys/${keyId}`);
  const user = { email: 'seen@example.com', name: 'S', scopes: ['tasks:read'], password };
  userId = (await gateway.make('/admin/api/users', user, options())).id;
  const signIn = (text: string) =>
    gateway.post('/admin/api/session', { email: user.email, password: text }, { key: null });
  await signIn('a wrong password');
  await signIn(password);
  await send('PATCH', `/admin/api/users/${userId}`, { name: 'T', password: 'yet another password' });
  await send('DELETE', `/admin/api/users/${userId}`);
});

const read = async (query = '') => (await gateway.get(`${path}?${query}`, { key })).body;
const actions = ({ data }: Json) => data.map(({ action }: Json) => action);

describe('the audit log', () => {
  it('has every action, newest first', async () => {
    expect(actions(await read())).toEqual([
      'user.deleted',
      'user.changed',
      'session.started',
      'session.refused',
      'user.created',
      'api_key.revoked',
      'api_key.rotated',
      'api_key.changed',
      'api_key.created',
      'api_key.created',
    ]);
  });

  it('contains actor, credential, target, address and changes', async () => {
    const { data } = await read('action=api_key.changed');
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^aud_[0-9a-z]{26}$/),
        action: 'api_key.changed',
        actor_id: expect.stringMatching(/^key_/),
        credential_id: data[0].actor_id,
        target_id: keyId,
        names: { [data[0].actor_id]: 'test', [keyId]: 'k' },
        data: { scopes: ['tasks:write'] },
        remote_address: expect.stringMatching(/127\.0\.0\.1/),
        request_id: 'audit-test-1',
        created_at: expect.any(String),
      },
    ]);
  });

  it('names removed people and keys, and none of another tenant', async () => {
    const [deleted] = (await read(`action=user.deleted&target_id=${userId}`)).data;
    expect(deleted.names).toMatchObject({ [userId]: 'T' });
    const { body } = await gateway.get(`${path}?limit=100`);
    expect(JSON.stringify(body)).not.toContain(userId);
  });

  it('names a person’s new name, and of a new password only that there is one', async () => {
    const { data } = await read(`target_id=${userId}&action=user.changed`);
    expect(data[0].data).toEqual({ name: 'T', is_password_new: true });
    expect(JSON.stringify(await read())).not.toMatch(/argon2|password"|enough|eas_live/);
  });

  it('has refused sign-ins under the targeted person', async () => {
    expect((await read('action=session.refused')).data).toMatchObject([
      { actor_id: 'anonymous', target_id: userId, data: { email: 'seen@example.com' } },
    ]);
  });

  it('is paged by either style and filtered by every field', async () => {
    expect((await read('limit=2')).metadata).toEqual({ total: 10, limit: 2, offset: 0 });
    const first = await read('after=&limit=2');
    expect(first.pagination).toMatchObject({ total_count: 10, has_more: true });
    const next = await read(`after=${first.pagination.next_cursor}&limit=2`);
    expect(actions(next)).toEqual(['session.started', 'session.refused']);
    const { data: _data, names: _names, ...scalars } = (await read('action=api_key.rotated')).data[0];
    for (const [field, value] of Object.entries(scalars)) {
      const found = await read(`${field}=${encodeURIComponent(String(value))}`);
      expect([field, actions(found)]).toEqual([field, expect.arrayContaining(['api_key.rotated'])]);
      expect((await read(`sort=${field}`)).data).toHaveLength(10);
    }
  });

  it('is narrowed to a time', async () => {
    const [, at] = (await read('sort=created_at')).data.map(({ created_at: time }: Json) => time);
    const [before, after] = [await read(`created_before=${at}&limit=100`), await read(`created_after=${at}&limit=100`)];
    expect([before.metadata.total > 0, before.metadata.total + after.metadata.total]).toEqual([true, 10]);
  });

  it('cannot be written to', async () => {
    for (const method of ['POST', 'PATCH', 'DELETE'])
      expectError(await gateway.send(method, path, undefined, { key, isDirect: true }), 405, 'invalid_request');
  });
});
