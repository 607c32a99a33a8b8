import { taskPriorities, taskStatuses } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { baseUrl, expectError, type Json, useGateway } from './gateway.ts';
import { inOrder } from './in-order.ts';

const gateway = useGateway();
const orders: Record<string, readonly string[]> = { priority: taskPriorities, status: taskStatuses };
const id = expect.stringMatching(/^tsk_[0-9a-z]{26}$/);
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/);
const least = { title: 'Fix the login', description: 'It fails after a password change.' };

describe('POST /v1/tasks', () => {
  it('responds with 201 with every field of the interface, as it was sent', async () => {
    const sent = {
      title: 'Implement rate limiting',
      description: 'Five attempts a minute.',
      priority: 'high',
      due_date: '2027-01-31T10:00:00Z',
      assigned_role: 'rd',
      tags: ['backend', 'größe'],
      metadata: { ticket_id: 'TICK-1', repository: 'org/repo', nested: { list: [1, 'a', null, 1.5] }, empty: {} },
    };
    const response = await gateway.post('/v1/tasks', sent);
    expect(response.status).toBe(201);
    const made = { id, status: 'created', assigned_agent: null, created_at: timestamp, project: null };
    expect(response.body).toEqual({ ...sent, ...made });
    expect(response.headers.get('location')).toBe(`${baseUrl}/v1/tasks/${response.body.id}`);
  });

  it('fills in what was left out and shows unset fields as null', async () => {
    const unset = { due_date: null, assigned_role: null, assigned_agent: null, project: null };
    const defaults = { priority: 'medium', tags: [], metadata: {} };
    const expected = { ...least, ...unset, ...defaults, id, status: 'created', created_at: timestamp };
    expect(await gateway.make('/v1/tasks', least)).toEqual(expected);
    const nulls = { ...unset, priority: null, tags: null, metadata: null };
    expect(await gateway.make('/v1/tasks', { ...least, ...nulls })).toEqual(expected);
  });

  it('takes back what a client read of a task', async () => {
    const read = (await gateway.get(`/v1/tasks/${(await gateway.make('/v1/tasks', least)).id}`)).body;
    const again = await gateway.make('/v1/tasks', read);
    expect(again).toMatchObject({ ...least, status: 'created' });
    expect(again.id).not.toBe(read.id);
  });

  it.each([
    ['2027-01-31T11:00:00+01:00', '2027-01-31T10:00:00Z'],
    ['2027-01-31T10:00:00.120Z', '2027-01-31T10:00:00.120Z'],
    ['2027-01-31T10:00:00', '2027-01-31T10:00:00Z'],
    ['2027-01-31', '2027-01-31T00:00:00Z'],
    ['2028-02-29t10:00:00z', '2028-02-29T10:00:00Z'],
  ])('reads the time %s as %s', async (written, shown) => {
    expect((await gateway.make('/v1/tasks', { ...least, due_date: written })).due_date).toBe(shown);
  });

  it('pins a task to the agent that was named', async () => {
    const agent = await gateway.make('/v1/agents', { name: 'Ada', role: 'rd' });
    const task = await gateway.make('/v1/tasks', { ...least, assigned_agent: agent.id });
    expect(task.assigned_agent).toBe(agent.id);
    expect((await gateway.get(`/v1/agents/${agent.id}`)).body.current_tasks).toEqual([
      { id: task.id, title: task.title, status: task.status },
    ]);
  });

  it('keeps any metadata and any text as they came', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((t) => t.trim() !== '');
    const json = fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme', noUnicodeString: false } as never);
    const metadata = fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), json, { maxKeys: 4 });
    // What is refused, as other tests say.
    const isTaken = (value: unknown) => !/\\u0000|__proto__/.test(JSON.stringify(value));
    await fc.assert(
      fc.asyncProperty(fc.record({ title: text, description: text, metadata }).filter(isTaken), async (sent) => {
        const made = await gateway.make('/v1/tasks', sent);
        const read = (await gateway.get(`/v1/tasks/${made.id}`)).body;
        expect(read).toMatchObject(made);
        const asJson = JSON.parse(JSON.stringify(sent)) as object;
        expect({ title: read.title, description: read.description, metadata: read.metadata }).toEqual(asJson);
      }),
      { numRuns: 40 },
    );
  });
});

describe('GET /v1/tasks/{task_id}', () => {
  it('adds updated_at, progress and activity', async () => {
    const made = await gateway.make('/v1/tasks', least);
    const response = await gateway.get(`/v1/tasks/${made.id}`);
    expect([response.status, response.body]).toEqual([
      200,
      {
        ...made,
        updated_at: made.created_at,
        progress: { percent_complete: 0, estimate_remaining: '0h', estimate_remaining_hours: null, milestones: [] },
        activity: [],
        activity_truncated: false,
        timeline_url: `/v1/tasks/${made.id}/timeline`,
        summary: null,
        result: null,
        scores: null,
        artifacts: [],
        artifacts_truncated: false,
        waiting_on: { kind: 'agent', id: null, since: made.created_at, deadline: null },
        rework_rounds: 0,
        stalled_at: null,
      },
    ]);
  });

  it.each(['tsk_01ks0000000000000000000000', 'nonsense', '%00', '%ff', `${'x'.repeat(70)}`, "a'b", '..%2fagents'])(
    'responds with 404 to %s',
    async (unknown) => expectError(await gateway.get(`/v1/tasks/${unknown}`), 404, 'not_found'),
  );
});

describe('GET /v1/tasks', () => {
  it('shows the fields of an item, newest first, with total, limit and offset', async () => {
    const role = 'shown';
    const made: Json[] = [];
    for (let n = 0; n < 3; n += 1) made.push(await gateway.make('/v1/tasks', { ...least, assigned_role: role }));
    const item = ({ id, title, status, priority, assigned_role, assigned_agent, created_at, due_date }: Json) => ({
      id,
      title,
      status,
      priority,
      assigned_role,
      assigned_agent,
      created_at,
      due_date,
    });
    expect((await gateway.get(`/v1/tasks?assigned_role=${role}`)).body).toEqual({
      data: made.toReversed().map(item),
      metadata: { total: 3, limit: 20, offset: 0 },
    });
    expect((await gateway.get(`/v1/tasks?assigned_role=${role}&limit=1&offset=1`)).body).toEqual({
      data: [item(made[1])],
      metadata: { total: 3, limit: 1, offset: 1 },
    });
    expect((await gateway.get(`/v1/tasks?assigned_role=${role}&offset=50`)).body).toEqual({
      data: [],
      metadata: { total: 3, limit: 20, offset: 50 },
    });
  });

  it('filters by every field that an item shows, one or several', async () => {
    const agent = await gateway.make('/v1/agents', { name: 'Filter', role: 'filter' });
    const sent = { title: 'a & b', assigned_role: 'filter', due_date: '2027-03-01', priority: 'urgent' };
    const { created_at: createdAt, ...own } = await gateway.make('/v1/tasks', {
      ...least,
      ...sent,
      assigned_agent: agent.id,
    });
    await gateway.make('/v1/tasks', { ...least, assigned_role: 'filter' });
    const found = async (query: Record<string, string>) => {
      const { body } = await gateway.get(`/v1/tasks?${new URLSearchParams({ ...query, assigned_role: 'filter' })}`);
      expect(body.data).toHaveLength(body.metadata.total);
      return body.data.map((task: Json) => task.id);
    };
    const { id: taskId, title, priority, assigned_agent: agentId, due_date: dueDate } = own;
    for (const query of [
      { id: taskId },
      { title },
      { priority },
      { assigned_agent: agentId },
      { due_date: dueDate },
      { due_date: '2027-03-01T01:00:00+01:00' },
      { title, priority, created_at: createdAt },
    ])
      expect(await found(query as unknown as Record<string, string>)).toEqual([taskId]);
    expect(await found({ status: 'created' })).toHaveLength(2);
    for (const none of [{ status: 'unknown' }, { priority: 'unknown' }, { assigned_agent: 'agt_none' }])
      expect(await found(none as unknown as Record<string, string>)).toEqual([]);
  });

  it('sorts by every field both ways, null last, ties by id', async () => {
    const role = 'sorted';
    for (const [title, priority, due] of [
      ['b', 'low', '2027-01-01'],
      ['a', 'high', null],
      ['a', 'low', '2026-01-01'],
      ['c', 'medium', null],
    ])
      await gateway.make('/v1/tasks', { ...least, assigned_role: role, title, priority, due_date: due });
    const all = (await gateway.get(`/v1/tasks?assigned_role=${role}`)).body.data as Record<string, string | null>[];
    for (const field of [
      'id',
      'title',
      'status',
      'priority',
      'assigned_role',
      'assigned_agent',
      'created_at',
      'due_date',
    ])
      for (const isDescending of [false, true]) {
        const sort = `${isDescending ? '-' : ''}${field}`;
        const { data } = (await gateway.get(`/v1/tasks?assigned_role=${role}&sort=${sort}`)).body;
        const expected = all.toSorted((a, b) => {
          const [x = null, y = null] = [a[field], b[field]];
          if ((x === null) !== (y === null)) return x === null ? 1 : -1;
          return (isDescending ? -1 : 1) * (inOrder(x, y, orders[field]) || inOrder(a['id'], b['id']));
        });
        expect([sort, data.map((task: Json) => task.id)]).toEqual([sort, expected.map((task) => task['id'])]);
      }
  });

  it.each(['-created_at', 'created_at', '-due_date', 'title', undefined])(
    'pages by cursor sorted by %s without gap or repeat while tasks are added',
    async (sort) => {
      const role = `cursor${(sort ?? 'default').replace('-', '_')}`;
      const add = (n: number) =>
        gateway.make('/v1/tasks', {
          ...least,
          assigned_role: role,
          title: `t${n % 3}`,
          due_date: n % 2 ? formatTimestamp(new Date(Date.UTC(2027, 0, 1 + (n % 4)))) : null,
        });
      for (let n = 0; n < 7; n += 1) await add(n);
      const query = `assigned_role=${role}&limit=3${sort ? `&sort=${sort}` : ''}`;
      const expected = (await gateway.get(`/v1/tasks?${query.replace('limit=3', 'limit=100')}`)).body.data;
      const seen: Json[] = [];
      let after: string | null = '';
      for (let pages = 0; after !== null; pages += 1) {
        const { body } = await gateway.get(`/v1/tasks?${query}&after=${after}`);
        expect(Object.keys(body)).toEqual(['data', 'pagination']);
        expect(body.pagination).toMatchObject({
          limit: 3,
          total_count: 7 + pages,
          has_more: body.pagination.next_cursor !== null,
        });
        seen.push(...body.data);
        after = body.pagination.next_cursor;
        if (pages > 10) throw new Error('the pages do not end');
        await add(pages + 7);
      }
      const ids = seen.map((task) => task.id);
      expect(new Set(ids).size).toBe(ids.length);
      const known = new Set(expected.map((task: Json) => task.id));
      expect(ids.filter((one) => known.has(one))).toEqual(expected.map((task: Json) => task.id));
    },
  );

  it('refuses a cursor that names no task, and after together with offset', async () => {
    const bad = { field: 'after', constraint: 'format' };
    expectError(await gateway.get('/v1/tasks?after=tsk_01ks0000000000000000000000'), 400, 'invalid_request', bad);
    expectError(await gateway.get('/v1/tasks?after=&offset=1'), 400, 'invalid_request', bad);
  });

  it('accepts the default offset together with a cursor, as generated clients send it', async () => {
    const { status, body } = await gateway.get('/v1/tasks?after=&offset=0&limit=1');
    expect([status, Object.keys(body)]).toEqual([200, ['data', 'pagination']]);
  });

  it('never shows another tenant’s tasks', async () => {
    const tenantId = await gateway.test.createTenant();
    const key = await gateway.makeKey(['tasks:read', 'tasks:write'], { tenantId });
    const theirs = await gateway.make('/v1/tasks', { ...least, assigned_role: 'theirs' }, { key });
    expect((await gateway.get('/v1/tasks?assigned_role=theirs')).body.data).toEqual([]);
    expectError(await gateway.get(`/v1/tasks/${theirs.id}`), 404, 'not_found');
    expect((await gateway.get(`/v1/tasks?after=${theirs.id}`)).status).toBe(400);
    expect((await gateway.get('/v1/tasks', { key })).body.metadata.total).toBe(1);
    const agent = await gateway.make('/v1/agents', { name: 'Ours', role: 'rd' });
    const pinned = await gateway.post('/v1/tasks', { ...least, assigned_agent: agent.id }, { key });
    expectError(pinned, 400, 'invalid_input', { field: 'assigned_agent', constraint: 'format' });
  });
});
