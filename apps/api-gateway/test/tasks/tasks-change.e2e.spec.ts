import { describe, expect, it } from '@jest/globals';
import { type ApiResponse, type CallOptions, expectError, type Json, useGateway } from '../gateway.ts';

const gateway = useGateway();
/** Of a role that no agent here has: only those that mean it claim it. */
const least = { title: 'Fix the login', description: 'It fails.', assigned_role: 'unstaffed' };
const state = (field = 'status') => ({ field, constraint: 'state' });
const patch = (id: string, body: unknown, options?: CallOptions) =>
  gateway.send('PATCH', `/v1/tasks/${id}`, JSON.stringify(body), options);
const remove = (id: string, options?: CallOptions) => gateway.send('DELETE', `/v1/tasks/${id}`, undefined, options);
const read = (id: string) => gateway.get(`/v1/tasks/${id}`);
const make = (over: object = {}) => gateway.make('/v1/tasks', { ...least, ...over });
const ifMatch = (etag: string | null) => ({ headers: { 'if-match': etag ?? '' } });

/** Types of the events of a task, oldest first. */
async function eventTypesOf(id: string): Promise<string[]> {
  const sql = "SELECT event_type AS type FROM events WHERE data ->> 'task_id' = $1 ORDER BY event_id";
  return (await gateway.test.database.db.query<{ type: string }>(sql, [id])).map(({ type }) => type);
}

let roles = 0;
/** An agent of a role of its own that holds a task. */
async function held(): Promise<{ agent: Json; task: Json; lease: Json }> {
  const role = `held-${(roles += 1)}`;
  const agent = await gateway.make('/v1/agents', { name: 'Ada', role });
  await make({ assigned_role: role });
  const { task, lease } = (await gateway.post(`/v1/agents/${agent.id}/claims`, {})).body;
  return { agent, task, lease };
}

const complete = ({ lease_id: id, fencing_token: token }: Json): Promise<ApiResponse> =>
  gateway.post(`/v1/leases/${id}/complete`, { fencing_token: token });

describe('PATCH /v1/tasks/{task_id}', () => {
  it('changes every field and returns the task as GET shows it', async () => {
    const agent = await gateway.make('/v1/agents', { name: 'Ada', role: 'qa' });
    const { id, created_at: createdAt } = await make({ metadata: { a: 1, b: { c: 2, d: 3 } } });
    const sent = {
      title: 'Fix it',
      description: 'Now.',
      priority: 'urgent',
      due_date: '2027-01-31T10:00:00Z',
      assigned_role: 'qa',
      assigned_agent: agent.id,
      tags: ['a', 'b'],
    };
    const response = await patch(id, { ...sent, metadata: { a: null, b: { c: null, e: [1] }, f: 'x' } });
    expect(response.status).toBe(200);
    const metadata = { b: { d: 3, e: [1] }, f: 'x' };
    expect(response.body).toMatchObject({ ...sent, metadata, id, status: 'created', created_at: createdAt });
    const again = await read(id);
    expect(again.body).toEqual(response.body);
    expect(again.headers.get('etag')).toBe(response.headers.get('etag'));
    expect(await eventTypesOf(id)).toEqual(['task.created', 'task.assigned', 'task.updated']);
  });

  it('gives a field what a task has without it when it is null, and refuses null where there is no such thing', async () => {
    const agent = await gateway.make('/v1/agents', { name: 'Ada', role: 'rd' });
    const { id } = await make({
      priority: 'low',
      due_date: '2027-01-01',
      assigned_role: 'rd',
      assigned_agent: agent.id,
      tags: ['a'],
      metadata: { a: 1 },
    });
    const nothing = { priority: null, due_date: null, assigned_role: null, assigned_agent: null };
    const { body } = await patch(id, { ...nothing, tags: null, metadata: null });
    expect(body).toMatchObject({ ...nothing, priority: 'medium', tags: [], metadata: {} });
    for (const field of ['title', 'description', 'status'])
      expectError(await patch(id, { [field]: null }), 400, 'invalid_input', { field, constraint: 'required' });
    expect((await read(id)).body).toEqual(body);
    // Any agent could claim it now.
    await remove(id);
  });

  it('writes nothing when nothing differs: no version, no event, no entry', async () => {
    const { id } = await make({ assigned_role: 'rd', tags: ['a'], metadata: { a: { b: 1 } } });
    const before = await read(id);
    const rows = await gateway.rows();
    for (const body of [{}, before.body, { title: least.title }, { metadata: {} }, { status: 'created' }]) {
      const response = await patch(id, body);
      expect([response.status, response.body]).toEqual([200, before.body]);
      expect(response.headers.get('etag')).toBe(before.headers.get('etag'));
    }
    expect(await gateway.rows()).toEqual(rows);
  });

  it.each([
    ['title', 'required', { title: '' }],
    ['title', 'max_length', { title: 'x'.repeat(501) }],
    ['description', 'required', { description: ' ' }],
    ['description', 'max_length', { description: 'x'.repeat(65_537) }],
    ['priority', 'enum', { priority: 'huge' }],
    ['status', 'enum', { status: 'done' }],
    ['due_date', 'format', { due_date: '2027-02-30' }],
    ['assigned_role', 'pattern', { assigned_role: '1' }],
    ['assigned_agent', 'format', { assigned_agent: 'agt_01ks0000000000000000000000' }],
    ['assigned_agent', 'type', { assigned_agent: 7 }],
    ['tags', 'max_length', { tags: Array(51).fill('a') }],
    ['tags.0', 'max_length', { tags: ['x'.repeat(65)] }],
    ['metadata', 'max_size', { metadata: { a: 'x'.repeat(65_536) } }],
    ['metadata', 'type', { metadata: [] }],
    ['color', 'unknown_field', { color: 'red' }],
  ])('refuses a %s that breaks %s and changes nothing', async (field, constraint, body) => {
    const { id } = await make();
    const rows = await gateway.rows();
    expectError(await patch(id, { due_date: '2027-01-01', ...body }), 400, 'invalid_input', { field, constraint });
    expect(await gateway.rows()).toEqual(rows);
  });

  it('refuses metadata that is too large together with what the task has', async () => {
    const { id } = await make({ metadata: { a: 'x'.repeat(40_000) } });
    const response = await patch(id, { metadata: { b: 'x'.repeat(40_000) } });
    expectError(response, 400, 'invalid_input', { field: 'metadata', constraint: 'max_size' });
    expect((await patch(id, { metadata: { a: null, b: 'x'.repeat(40_000) } })).status).toBe(200);
  });

  it('completes a task for the person who asks, and takes the lease from the agent', async () => {
    const { agent, task, lease } = await held();
    const { body } = await patch(task.id, { status: 'completed' });
    expect(body).toMatchObject({ status: 'completed', progress: { percent_complete: 100 } });
    expect((await eventTypesOf(task.id)).at(-1)).toBe('task.completed');
    const sql = "SELECT data ->> 'completed_by' AS by FROM events WHERE event_type = $1 AND data ->> 'task_id' = $2";
    const [event] = await gateway.test.database.db.query<{ by: string }>(sql, ['task.completed', task.id]);
    expect(event?.by).toMatch(/^key_/);
    expectError(await complete(lease), 409, 'conflict', { field: 'fencing_token', constraint: 'lease_lost' });
    expect((await gateway.get(`/v1/agents/${agent.id}`)).body).toMatchObject({ status: 'idle', current_tasks: [] });
  });

  it('opens a final task again, and nothing else may be asked of a status', async () => {
    const { id } = await make();
    for (const status of ['in_progress', 'blocked', 'in_review', 'failed', 'cancelled', 'open'])
      expectError(await patch(id, { title: 'x', status }), 409, 'conflict', state());
    expect((await read(id)).body).toMatchObject({ ...least, status: 'created' });
    await patch(id, { status: 'completed' });
    expect((await patch(id, { status: 'completed' })).status).toBe(200);
    expectError(await patch(id, { status: 'cancelled' }), 409, 'conflict', state());
    expect((await patch(id, { status: 'open', title: 'Once more' })).body).toMatchObject({
      status: 'open',
      title: 'Once more',
      activity: [
        { from: 'created', to: 'completed' },
        { from: 'completed', to: 'open' },
      ],
    });
    expect(await eventTypesOf(id)).toEqual(['task.created', 'task.completed', 'task.updated']);
  });

  it('opened again counts no longer in the stats of the agent that completed it, and once when it does so again', async () => {
    const { agent, task, lease } = await held();
    const stats = async () => (await gateway.get(`/v1/agents/${agent.id}`)).body.stats;
    const score = (body: Json, codeQuality: number) =>
      gateway.post(`/v1/leases/${body.lease_id}/complete`, {
        fencing_token: body.fencing_token,
        scores: { code_quality: codeQuality },
      });
    const before = await stats();
    expect((await score(lease, 40)).status).toBe(200);
    expect(await stats()).toMatchObject({ tasks_completed: 1, code_quality_score: 40 });
    await patch(task.id, { status: 'open' });
    expect(await stats()).toEqual(before);
    const again = (await gateway.post(`/v1/agents/${agent.id}/claims`, {})).body;
    expect((await score(again.lease, 90)).status).toBe(200);
    expect(await stats()).toMatchObject({ tasks_completed: 1, code_quality_score: 90 });
    // What a person completes counts for no agent, before it is opened again and after.
    await patch(task.id, { status: 'open' });
    await patch(task.id, { status: 'completed' });
    await patch(task.id, { status: 'open' });
    expect(await stats()).toEqual(before);
    await remove(task.id);
  });

  it('leaves role and agent of a task to the agent that holds it', async () => {
    const { agent, task, lease } = await held();
    const other = await gateway.make('/v1/agents', { name: 'Bo', role: 'rd' });
    for (const value of [other.id, null])
      expectError(await patch(task.id, { assigned_agent: value }), 409, 'conflict', state('assigned_agent'));
    for (const value of ['rd', null])
      expectError(await patch(task.id, { assigned_role: value }), 409, 'conflict', state('assigned_role'));
    const same = { assigned_agent: agent.id, assigned_role: task.assigned_role, title: 'Another title' };
    expect((await patch(task.id, same)).body).toMatchObject({ ...same, status: 'in_progress' });
    expect((await complete(lease)).status).toBe(200);
  });

  it('gives a task to one agent alone, and back to all', async () => {
    const role = 'given';
    const [ada, bo] = [
      await gateway.make('/v1/agents', { name: 'Ada', role }),
      await gateway.make('/v1/agents', { name: 'Bo', role }),
    ];
    const { id } = await make({ assigned_role: role });
    await patch(id, { assigned_agent: ada.id });
    expect((await gateway.post(`/v1/agents/${bo.id}/claims`, {})).status).toBe(204);
    await patch(id, { assigned_agent: null });
    expect((await gateway.post(`/v1/agents/${bo.id}/claims`, {})).body.task.id).toBe(id);
  });

  it('wakes the claims that wait for the role that a task is given', async () => {
    const agent = await gateway.make('/v1/agents', { name: 'Ada', role: 'waiting' });
    const { id } = await make({ assigned_role: 'elsewhere' });
    const waiting = gateway.post(`/v1/agents/${agent.id}/claims`, { wait_seconds: 20 });
    await patch(id, { assigned_role: 'waiting' });
    expect((await waiting).body.task.id).toBe(id);
  });

  it('takes a merge patch by its own media type, and no other', async () => {
    const { id } = await make();
    const typed = (type: string) => patch(id, { title: 'x' }, { headers: { 'content-type': type } });
    expect((await typed('application/merge-patch+json')).status).toBe(200);
    expect((await typed('text/plain')).status).toBe(415);
  });

  it('is 404 for a task of another tenant', async () => {
    const { id } = await make();
    const key = await gateway.makeKey(['tasks:write'], { tenantId: await gateway.test.createTenant() });
    const rows = await gateway.rows();
    expectError(await patch(id, { title: 'x' }, { key }), 404, 'not_found');
    expectError(await remove(id, { key }), 404, 'not_found');
    expectError(await gateway.post(`/v1/tasks/${id}/retry`, undefined, { key }), 404, 'not_found');
    expectError(await gateway.post(`/v1/tasks/${id}/comments`, { content: 'c' }, { key }), 404, 'not_found');
    expect(await gateway.rows()).toEqual(rows);
  });
});

describe('If-Match', () => {
  const stale = { field: 'If-Match', constraint: 'version' };

  it('lets a change through only on the version that was read', async () => {
    const made = await gateway.post('/v1/tasks', least);
    const { id } = made.body;
    const etag = made.headers.get('etag');
    expect(etag).toBe('"1"');
    expect((await read(id)).headers.get('etag')).toBe(etag);
    const changed = await patch(id, { title: 'x' }, ifMatch(etag));
    expect(changed.headers.get('etag')).toBe('"2"');
    for (const wrong of ['"1"', 'W/"1"', '2', '"x"', ''])
      expectError(await patch(id, { title: 'y' }, ifMatch(wrong)), 412, 'invalid_request', stale);
    expectError(await remove(id, ifMatch(etag)), 412, 'invalid_request', stale);
    expect((await patch(id, { title: 'z' }, ifMatch('"7", "2"'))).status).toBe(200);
    expect((await remove(id, ifMatch('*'))).status).toBe(204);
  });

  it('is checked after the task is found and before its state', async () => {
    expectError(await patch('tsk_none', { title: 'x' }, ifMatch('"9"')), 404, 'not_found');
    const { id } = await make();
    await remove(id);
    expectError(await remove(id, ifMatch('"9"')), 412, 'invalid_request', stale);
  });

  it('lets exactly one of two changes at once win', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await make();
      const responses = await Promise.all(['a', 'b'].map((title) => patch(id, { title }, ifMatch('"1"'))));
      expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    }
  });
});

describe('DELETE /v1/tasks/{task_id}', () => {
  it('cancels the task, which stays readable, and takes the lease from the agent', async () => {
    const { agent, task, lease } = await held();
    expect(await remove(task.id)).toMatchObject({ status: 204, body: undefined });
    expect((await read(task.id)).body.status).toBe('cancelled');
    expect((await eventTypesOf(task.id)).at(-1)).toBe('task.cancelled');
    expectError(await complete(lease), 409, 'conflict', { field: 'fencing_token', constraint: 'lease_lost' });
    expect((await gateway.get(`/v1/agents/${agent.id}`)).body.status).toBe('idle');
  });

  it('is 409 for a final task, a cancelled one too', async () => {
    const { id } = await make();
    await patch(id, { status: 'completed' });
    expectError(await remove(id), 409, 'conflict', state());
    await patch(id, { status: 'open' });
    expect((await remove(id)).status).toBe(204);
    expectError(await remove(id), 409, 'conflict', state());
  });
});

describe('POST /v1/tasks/{task_id}/retry', () => {
  it('opens a final task with its counters at zero, and no other', async () => {
    const { task, lease } = await held();
    const progress = { fencing_token: lease.fencing_token, percent_complete: 60, estimate_remaining: '3h' };
    await gateway.post(`/v1/leases/${lease.lease_id}/progress`, progress);
    expectError(await gateway.post(`/v1/tasks/${task.id}/retry`, undefined), 409, 'conflict', state());
    await complete(lease);
    const response = await gateway.post(`/v1/tasks/${task.id}/retry`, undefined);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      status: 'open',
      progress: { percent_complete: 0, estimate_remaining: '0h' },
    });
    expectError(await gateway.post(`/v1/tasks/${task.id}/retry`, undefined), 409, 'conflict', state());
  });

  it('happens once for one idempotency key', async () => {
    const { id } = await make();
    await remove(id);
    const once = () =>
      gateway.post(`/v1/tasks/${id}/retry`, undefined, { headers: { 'idempotency-key': `retry ${id}` } });
    const first = await once();
    expect(await once()).toMatchObject({ status: 200, body: first.body });
  });
});

describe('POST /v1/tasks/{task_id}/comments', () => {
  it('adds to the activity of a task in any state, and publishes that', async () => {
    const { id } = await make();
    await remove(id);
    const response = await gateway.post(`/v1/tasks/${id}/comments`, { content: 'A pity.' });
    expect(response.status).toBe(201);
    const { type, content, timestamp, actor } = response.body;
    expect([type, content, actor]).toEqual(['comment', 'A pity.', expect.stringMatching(/^key_/)]);
    expect((await read(id)).body.activity.at(-1)).toEqual({ type, content, timestamp });
    expect((await gateway.get(`/v1/tasks/${id}/timeline?limit=1`)).body.data).toEqual([response.body]);
    expect((await eventTypesOf(id)).at(-1)).toBe('task.commented');
    // A client may send back what it read.
    const again = await gateway.post(`/v1/tasks/${id}/comments`, { ...response.body, author: 'me' });
    expect([again.status, again.body.content, again.body.author]).toEqual([201, content, undefined]);
  });

  it.each([
    ['content', 'required', {}],
    ['content', 'required', { content: ' ' }],
    ['content', 'max_length', { content: 'x'.repeat(65_537) }],
    ['mood', 'unknown_field', { content: 'c', mood: 'glad' }],
  ])('refuses a %s that breaks %s', async (field, constraint, body) => {
    const { id } = await make();
    expectError(await gateway.post(`/v1/tasks/${id}/comments`, body), 400, 'invalid_input', { field, constraint });
    expect((await read(id)).body.activity).toEqual([]);
  });
});

describe('at once', () => {
  it('a person and an agent complete a task once, and the lease of the one who is late is lost', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { task, lease } = await held();
      const [byHand, byAgent] = await Promise.all([patch(task.id, { status: 'completed' }), complete(lease)]);
      // Completing what the agent has completed already asks for nothing new.
      expect([byHand.status, [200, 409].includes(byAgent.status)]).toEqual([200, true]);
      expect((await eventTypesOf(task.id)).filter((type) => type === 'task.completed')).toHaveLength(1);
      const [entry] = (await gateway.get(`/v1/tasks/${task.id}/timeline?limit=1&type=status_change`)).body.data;
      expect(entry.actor.startsWith('agt_')).toBe(byAgent.status === 200);
    }
  });

  it('a claim and DELETE of a task leave it cancelled and the agent free', async () => {
    for (let round = 0; round < 8; round += 1) {
      const role = `race-${(roles += 1)}`;
      const agent = await gateway.make('/v1/agents', { name: 'Ada', role });
      const { id } = await make({ assigned_role: role });
      const [claim, gone] = await Promise.all([gateway.post(`/v1/agents/${agent.id}/claims`, {}), remove(id)]);
      expect([gone.status, [200, 204].includes(claim.status)]).toEqual([204, true]);
      expect((await read(id)).body.status).toBe('cancelled');
      expect((await gateway.get(`/v1/agents/${agent.id}`)).body.status).toBe('idle');
    }
  });
});
