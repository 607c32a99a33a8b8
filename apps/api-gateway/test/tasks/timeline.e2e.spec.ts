import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';
import { inOrder } from '../in-order.ts';

const gateway = useGateway();

/** A task with an entry of most kinds, and the agent that works on it. */
async function busyTask() {
  const role = 'busy';
  const agent = await gateway.make('/v1/agents', { name: 'Ada', role, max_concurrent_tasks: 100 });
  const { id } = await gateway.make('/v1/tasks', { title: 't', description: 'd', assigned_role: role });
  const patch = (body: object) => gateway.send('PATCH', `/v1/tasks/${id}`, JSON.stringify(body));
  await patch({ assigned_agent: agent.id, title: 'Another', tags: ['a'] });
  const { lease } = (await gateway.post(`/v1/agents/${agent.id}/claims`, {})).body;
  const report = { fencing_token: lease.fencing_token, percent_complete: 50, comment: 'half way' };
  await gateway.post(`/v1/leases/${lease.lease_id}/progress`, report);
  await gateway.post(`/v1/tasks/${id}/comments`, { content: 'good' });
  await patch({ status: 'completed' });
  return { id, agent, path: `/v1/tasks/${id}/timeline` };
}

describe('GET /v1/tasks/{task_id}/timeline', () => {
  it('shows what happened to a task, numbered without a gap, newest first', async () => {
    const { path, agent } = await busyTask();
    const { body } = await gateway.get(path);
    const person = expect.stringMatching(/^key_/);
    const facts = body.data.map(({ id: _, seq, timestamp: __, ...entry }: Json) => [seq, entry]);
    expect(facts).toEqual(
      [
        { type: 'created', actor: person },
        { type: 'edit', actor: person, changed: ['title', 'tags'] },
        { type: 'assignment', actor: person, assigned_agent: agent.id, reason: 'assigned by request' },
        { type: 'status_change', actor: agent.id, from: 'created', to: 'in_progress' },
        { type: 'progress', actor: agent.id, percent_complete: 50 },
        { type: 'comment', actor: agent.id, content: 'half way' },
        { type: 'comment', actor: person, content: 'good' },
        { type: 'status_change', actor: person, from: 'in_progress', to: 'completed' },
      ]
        .map((entry, index) => [index + 1, entry])
        .toReversed(),
    );
    expect(body.metadata).toEqual({ total: 8, limit: 20, offset: 0 });
  });

  it('shows the entries of the activity as the task shows them', async () => {
    const { id, path } = await busyTask();
    const { activity } = (await gateway.get(`/v1/tasks/${id}`)).body;
    const entries = (await gateway.get(`${path}?sort=seq`)).body.data as Json[];
    const shared = entries.filter(({ type }) => type === 'comment' || type === 'status_change');
    expect(shared).toMatchObject(activity);
  });

  it('filters and sorts by every scalar field of any entry, those without it last', async () => {
    const { path, agent } = await busyTask();
    // Ids are unique in a task alone: another one has the same.
    await busyTask();
    const list = async (query: Record<string, string>) =>
      (await gateway.get(`${path}?${new URLSearchParams(query)}`)).body.data as Json[];
    const all = await list({ sort: 'seq' });
    expect(all.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const scalars = new Set(all.flatMap(({ changed: _, ...entry }) => Object.keys(entry)));
    expect(scalars.size).toBe(11);
    for (const field of scalars) {
      const [having, lacking] = [all.filter((entry) => field in entry), all.filter((entry) => !(field in entry))];
      const value = having[0][field];
      const equal = all.filter((entry) => entry[field] === value);
      expect([field, await list({ sort: 'seq', [field]: String(value) })]).toEqual([field, equal]);
      const up = having.toSorted((a, b) => inOrder(a[field], b[field]));
      expect([field, await list({ sort: field })]).toEqual([field, [...up, ...lacking]]);
      const down = [...up.toReversed(), ...lacking.toReversed()];
      expect([field, await list({ sort: `-${field}` })]).toEqual([field, down]);
      const behind = await list({ sort: `-${field}`, after: down[1].id });
      expect([field, behind]).toEqual([field, down.slice(2)]);
    }
    expect(await list({ type: 'unknown' })).toEqual([]);
    expect(await list({ actor: agent.id, type: 'comment' })).toHaveLength(1);
    const bad = { field: 'seq', constraint: 'type' };
    expectError(await gateway.get(`${path}?seq=x`), 400, 'invalid_request', bad);
  });

  it('pages by cursor without gap or repeat while entries are added', async () => {
    const { id, path } = await busyTask();
    const before = (await gateway.get(path)).body.data as Json[];
    const seen: Json[] = [];
    let after: string | null = '';
    while (after !== null) {
      const { body } = await gateway.get(`${path}?limit=3&after=${after}`);
      seen.push(...body.data);
      expect(body.pagination).toMatchObject({ limit: 3, has_more: body.pagination.next_cursor !== null });
      after = body.pagination.next_cursor;
      await gateway.post(`/v1/tasks/${id}/comments`, { content: 'one more' });
    }
    expect(seen).toEqual(before);
  });

  it('knows no task of another tenant and no cursor of another task', async () => {
    const { path } = await busyTask();
    expectError(await gateway.get('/v1/tasks/tsk_none/timeline'), 404, 'not_found');
    const other = await gateway.make('/v1/tasks', { title: 't', description: 'd', assigned_role: 'unstaffed' });
    const bad = { field: 'after', constraint: 'format' };
    expect((await gateway.get(`${path}?after=0000000007`)).status).toBe(200);
    expectError(await gateway.get(`/v1/tasks/${other.id}/timeline?after=0000000007`), 400, 'invalid_request', bad);
    const key = await gateway.makeKey(['tasks:read'], { tenantId: await gateway.test.createTenant() });
    expectError(await gateway.get(path, { key }), 404, 'not_found');
  });
});
