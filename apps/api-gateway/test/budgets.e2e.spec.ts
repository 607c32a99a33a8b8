import { beforeAll, describe, expect, it } from '@jest/globals';
import { baseUrl, expectError, type Json, useGateway } from './gateway.ts';

const gateway = useGateway();
// No day ends in between.
beforeAll(() => gateway.test.stopClock());
const body = { scope: 'tenant', unit: 'usd', period: 'day', limit: 20 };
const make = (more: object = {}): Promise<Json> => gateway.make('/v1/budgets', { ...body, ...more });
const patch = (id: string, change: unknown, headers: Record<string, string> = {}) =>
  gateway.send('PATCH', `/v1/budgets/${id}`, JSON.stringify(change), { headers });

describe('budgets', () => {
  it('are made and read under an ETag, with what is used up', async () => {
    const made = await gateway.post('/v1/budgets', body);
    const location = `${baseUrl}/v1/budgets/${made.body.id}`;
    expect([made.status, made.headers.get('location'), made.headers.get('etag')]).toEqual([201, location, '"1"']);
    const current = { spent: 0, reserved: 0, is_exhausted: false, unpriced_calls: 0, estimated_calls: 0 };
    expect(made.body).toMatchObject({ ...body, scope_id: null, warn_at_percent: 80, version: 1, current });
    const { starts_at, ends_at } = made.body.current;
    expect(Date.parse(ends_at) - Date.parse(starts_at)).toBe(86_400_000);
    const read = await gateway.get(`/v1/budgets/${made.body.id}`);
    expect([read.status, read.body, read.headers.get('etag')]).toEqual([200, made.body, '"1"']);
  });

  it('keep amounts of USD to the millionth', async () => {
    expect(await make({ limit: 0.000001 })).toMatchObject({ limit: 0.000001 });
    expect(await make({ limit: 1_000_000_000 })).toMatchObject({ limit: 1_000_000_000 });
    expect(await make({ limit: 0 })).toMatchObject({ limit: 0, current: { is_exhausted: true } });
  });

  it('are changed under the ETag that was read; whose calls count stays', async () => {
    const { id } = await make();
    const changed = await patch(id, { limit: 30, warn_at_percent: 50 }, { 'if-match': '"1"' });
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"']);
    expect(changed.body).toMatchObject({ limit: 30, warn_at_percent: 50, version: 2 });
    const rows = await gateway.rows();
    const version = { field: 'If-Match', constraint: 'version' };
    expectError(await patch(id, { limit: 1 }, { 'if-match': '"1"' }), 412, 'invalid_request', version);
    expect((await patch(id, { limit: 30 })).body).toEqual(changed.body);
    expect(await gateway.rows()).toEqual(rows);
  });

  it('are deleted', async () => {
    const { id } = await make();
    expect((await gateway.send('DELETE', `/v1/budgets/${id}`)).status).toBe(204);
    expectError(await gateway.get(`/v1/budgets/${id}`), 404, 'not_found');
    expectError(await gateway.send('DELETE', `/v1/budgets/${id}`), 404, 'not_found');
  });

  it('are listed, filtered and sorted, and each change is in the audit log', async () => {
    const { id } = await make({ scope: 'role', scope_id: 'listed', unit: 'calls', period: 'month', limit: 5 });
    await patch(id, { limit: 6 });
    const { data } = (await gateway.get('/v1/budgets?scope=role&scope_id=listed&sort=-unit')).body;
    expect(data).toMatchObject([{ id, limit: 6, period: 'month' }]);
    await gateway.send('DELETE', `/v1/budgets/${id}`);
    const audit = (await gateway.get(`/admin/api/audit?target_id=${id}&sort=created_at`)).body.data;
    expect(audit.map(({ action }: Json) => action)).toEqual(['budget.created', 'budget.changed', 'budget.deleted']);
  });

  it.each<[string, object, string, string]>([
    ['half a token', { unit: 'tokens', limit: 1.5 }, 'limit', 'format'],
    ['a negative limit', { limit: -1 }, 'limit', 'min'],
    ['a limit of more than a billion USD', { limit: 1_000_000_001 }, 'limit', 'format'],
    ['more than 6 digits of USD', { limit: 0.0000001 }, 'limit', 'format'],
    ['an unknown scope', { scope: 'team' }, 'scope', 'enum'],
    ['a project that is not named', { scope: 'project' }, 'scope_id', 'required'],
    ['a project that does not exist', { scope: 'project', scope_id: 'Shop' }, 'scope_id', 'exists'],
    ['an agent that does not exist', { scope: 'agent', scope_id: 'agt_unknown' }, 'scope_id', 'exists'],
    ['an ID of a tenant', { scope_id: 'x' }, 'scope_id', 'required'],
    ['a warning at 0 percent', { warn_at_percent: 0 }, 'warn_at_percent', 'min'],
  ])('with %s are refused, and nothing is written', async (_title, wrong, field, constraint) => {
    const rows = await gateway.rows();
    expectError(await gateway.post('/v1/budgets', { ...body, ...wrong }), 400, 'invalid_input', { field, constraint });
    expect(await gateway.rows()).toEqual(rows);
  });

  it('whose limit is changed to half a token are refused', async () => {
    const { id } = await make({ unit: 'tokens' });
    expectError(await patch(id, { limit: 1.5 }), 400, 'invalid_input', { field: 'limit', constraint: 'format' });
  });
});
