import { describe, expect, it } from '@jest/globals';
import { baseUrl, expectError, type Json, useGateway } from './gateway.ts';

const gateway = useGateway();
const stats = {
  tasks_completed: 0,
  avg_completion_time: '0h',
  avg_completion_seconds: null,
  code_quality_score: 0,
  code_quality: null,
};

describe('agents', () => {
  it('are registered with every field of the interface', async () => {
    const sent = { name: 'Ada', role: 'rd', capabilities: ['typescript', 'sql'] };
    const { status, body, headers } = await gateway.post('/v1/agents', { ...sent, max_concurrent_tasks: 2 });
    expect(status).toBe(201);
    expect(body).toEqual({
      ...sent,
      id: expect.stringMatching(/^agt_[0-9a-z]{26}$/),
      status: 'idle',
      max_concurrent_tasks: 2,
      active_tasks: 0,
      accepting: true,
      presence: 'offline',
      created_at: expect.stringMatching(/Z$/),
      last_active: body.created_at,
    });
    expect(headers.get('location')).toBe(`${baseUrl}/v1/agents/${body.id}`);
    const one = await gateway.get(`/v1/agents/${body.id}`);
    expect([one.status, one.body]).toEqual([
      200,
      { ...body, current_tasks: [], current_tasks_truncated: false, stats },
    ]);
    expect((await gateway.make('/v1/agents', { name: 'Bob', role: 'qa' })).capabilities).toEqual([]);
  });

  it('are listed newest first, filtered, sorted and paged', async () => {
    const role = 'listed';
    const made: Json[] = [];
    for (const name of ['Cy', 'Ann', 'Bea']) made.push(await gateway.make('/v1/agents', { name, role }));
    const list = async (query: string) => (await gateway.get(`/v1/agents?role=${role}&${query}`)).body;
    expect(await list('')).toEqual({ data: made.toReversed(), metadata: { total: 3, limit: 20, offset: 0 } });
    expect(await list('limit=1&offset=2')).toEqual({ data: [made[0]], metadata: { total: 3, limit: 1, offset: 2 } });
    expect((await list('sort=name')).data.map(({ name }: Json) => name)).toEqual(['Ann', 'Bea', 'Cy']);
    expect((await list('sort=-name')).data.map(({ name }: Json) => name)).toEqual(['Cy', 'Bea', 'Ann']);
    for (const field of ['id', 'name', 'created_at', 'last_active', 'max_concurrent_tasks', 'accepting', 'presence'])
      expect(
        (await list(new URLSearchParams({ [field]: made[1][field], status: 'idle' }).toString())).data,
      ).toContainEqual(made[1]);
    expect((await list('status=busy')).metadata.total).toBe(0);
    expect((await list('name=Unknown')).metadata.total).toBe(0);
    const first = await list('after=&limit=2');
    expect(first.pagination).toEqual({ total_count: 3, limit: 2, has_more: true, next_cursor: expect.any(String) });
    const second = await list(`after=${first.pagination.next_cursor}&limit=2`);
    expect(second.pagination).toEqual({ total_count: 3, limit: 2, has_more: false, next_cursor: null });
    expect([...first.data, ...second.data]).toEqual(made.toReversed());
  });

  it('have a closed list of states and open roles', async () => {
    const bad = { field: 'status', constraint: 'enum' };
    expectError(await gateway.get('/v1/agents?status=sleeping'), 400, 'invalid_request', bad);
    expect((await gateway.get('/v1/agents?role=unknown')).body.data).toEqual([]);
  });

  it('of another tenant are not there', async () => {
    const tenantId = await gateway.test.createTenant();
    const key = await gateway.makeKey(['agents:read', 'agents:write', 'admin'], { tenantId });
    const theirs = await gateway.make('/v1/agents', { name: 'Eve', role: 'theirs' }, { key });
    expectError(await gateway.get(`/v1/agents/${theirs.id}`), 404, 'not_found');
    expectError(await gateway.post(`/v1/agents/${theirs.id}/claims`, {}), 404, 'not_found');
    expect((await gateway.get('/v1/agents?role=theirs')).body.metadata.total).toBe(0);
    expect((await gateway.get('/v1/agents', { key })).body.data).toEqual([theirs]);
  });
});
