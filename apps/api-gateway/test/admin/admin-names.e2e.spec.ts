import { scopes } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import { expectError, useGateway } from '../gateway.ts';

const gateway = useGateway();
const path = '/admin/api/names';

async function makeOneOfEach() {
  const { id: user } = await gateway.make('/admin/api/users', {
    name: 'Ada Lovelace',
    email: 'ada.l@example.com',
    scopes: ['tasks:read'],
  });
  const { id: key } = await gateway.make('/admin/api/keys', { name: 'CI of the shop', scopes: ['tasks:read'] });
  const { id: agent } = await gateway.make('/v1/agents', { name: 'Worker 1', role: 'rd' });
  const github = { type: 'github', org_name: 'acme-names', secret: 'a secret of the host' };
  const { id: integration } = await gateway.make('/v1/integrations', github);
  return { user, key, agent, integration };
}

const namesOf = async (ids: readonly string[], key?: string) =>
  (await gateway.get(`${path}?ids=${ids.join(',')}`, key === undefined ? {} : { key })).body.data;

describe('names of actors', () => {
  it('are read by any caller, removed ones too', async () => {
    const { user, key, agent, integration } = await makeOneOfEach();
    const reader = await gateway.makeKey(['analytics:read']);
    const named = (isRemoved: boolean) =>
      expect.arrayContaining([
        { id: user, kind: 'user', name: 'Ada Lovelace', is_removed: isRemoved },
        { id: key, kind: 'api_key', name: 'CI of the shop', is_removed: isRemoved },
        { id: agent, kind: 'agent', name: 'Worker 1', is_removed: isRemoved },
        { id: integration, kind: 'integration', name: 'acme-names', is_removed: isRemoved },
      ]);
    const ids = [user, key, agent, integration, 'system', 'unknown'];
    expect(await namesOf(ids, reader)).toEqual(named(false));
    await gateway.send('DELETE', `/admin/api/users/${user}`);
    await gateway.send('DELETE', `/admin/api/keys/${key}`);
    await gateway.send('DELETE', `/v1/agents/${agent}`);
    await gateway.send('DELETE', `/v1/integrations/${integration}`);
    const removed = await namesOf(ids, reader);
    expect(removed).toEqual(named(true));
    expect(removed).toHaveLength(4);
  });

  it('are only those of the caller’s tenant', async () => {
    const { id } = await gateway.make('/v1/agents', { name: 'Not yours', role: 'rd' });
    const key = await gateway.makeKey(scopes, { tenantId: await gateway.test.createTenant() });
    expect(await namesOf([id], key)).toEqual([]);
  });

  it('are asked for by 1 to 100 IDs', async () => {
    expect((await gateway.get(path)).body).toEqual({ data: [] });
    expect(await namesOf(Array.from({ length: 100 }, (_, at) => `agt_${at}`))).toEqual([]);
    for (const ids of ['', 'a,,b', Array(101).fill('a').join(','), 'x'.repeat(129)])
      expectError(await gateway.get(`${path}?ids=${ids}`), 400, 'invalid_request', {
        field: 'ids',
        constraint: 'pattern',
      });
  });
});
