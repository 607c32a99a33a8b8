import { taskListQuery, taskPriorities, taskStatuses } from '@eas/contracts';
import { newId } from '@eas/core';
import { aggregateTaskCounts } from '@eas/tasks';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from './gateway.ts';
import { inOrder } from './in-order.ts';

const gateway = useGateway();

type Draft = Record<string, unknown>;
/** Fields that hold for filters and sorts what POST was given, in values that tie, are rare, or missing. */
const drafts: Draft[] = Array.from({ length: 25 }, (_, n) => ({
  title: ['Beta', 'alpha', 'Alpha'][n % 3],
  description: 'd',
  priority: ['low', 'high', 'critical', 'medium'][n % 4],
  due_date: n % 3 === 0 ? null : `${n % 4 === 1 ? 2020 : 2030}-01-${10 + (n % 5)}T00:00:00Z`,
  assigned_role: n % 4 === 0 ? null : ['rd', 'qa', 'R_d'][n % 3],
  tags: [`t${n % 3}`, ...(n === 7 ? ['rare', 'rare:with:colons'] : [])],
  metadata: {
    ...(n % 2 ? { ticket_id: `ENG-${n % 7}` } : {}),
    ...(n % 5 ? { repository: 'acme/web' } : { ticket_id: n }),
  },
}));

/** What the lists have to show, oldest first: the tasks as they are read one by one. */
let tasks: Json[] = [];
const runId = newId('run');

beforeAll(async () => {
  const agents: Json[] = [];
  for (const name of ['a', 'b']) agents.push(await gateway.make('/v1/agents', { name, role: 'rd' }));
  for (const [n, draft] of drafts.entries())
    await gateway.make('/v1/tasks', { ...draft, assigned_agent: n % 5 === 0 ? agents[n % 2].id : null });
  const { db } = gateway.test.database;
  // What agents and other features do to tasks: some move on, some belong to a run.
  await db.query("UPDATE tasks SET status = 'failed' WHERE id IN (SELECT id FROM tasks ORDER BY id LIMIT 3)");
  await db.query("UPDATE tasks SET status = 'open' WHERE id IN (SELECT id FROM tasks ORDER BY id DESC LIMIT 6)");
  await db.query(
    `UPDATE tasks SET status = 'in_review', review_task_id = CASE n % 3
       WHEN 0 THEN (SELECT id FROM tasks WHERE status = 'open' LIMIT 1)
       WHEN 1 THEN (SELECT id FROM tasks WHERE status = 'failed' LIMIT 1) END
     FROM (SELECT id AS reviewed, row_number() OVER (ORDER BY id) AS n FROM tasks ORDER BY id OFFSET 9 LIMIT 7) AS numbered
     WHERE id = reviewed`,
  );
  await db.query(
    `WITH members AS (UPDATE tasks SET workflow_run_id = $1 WHERE id IN (SELECT id FROM tasks ORDER BY id OFFSET 4 LIMIT 5) RETURNING tenant_id, id)
     INSERT INTO task_labels (tenant_id, label, task_id) SELECT tenant_id, 'run:' || $1, id FROM members`,
    [runId],
  );
  // Each since a moment of its own; a review that has failed did so before the work that it left to a person came.
  await db.query(
    `UPDATE tasks SET waits_since = waits_since - ascii(md5(id)) * interval '1 hour'
       - CASE status WHEN 'failed' THEN interval '30 days' ELSE interval '0' END`,
  );
  const rows = await db.query<{ id: string; run: string | null; since: Date | null }>(
    'SELECT id, workflow_run_id AS run, waits_since AS since FROM tasks ORDER BY id',
  );
  tasks = await Promise.all(
    rows.map(async ({ id, run, since }) => {
      const { body } = await gateway.get(`/v1/tasks/${id}`);
      const failedAt = body.status === 'failed' ? since?.toISOString() : undefined;
      return { ...body, run, review_since: body.waiting_on?.since, failed_at: failedAt };
    }),
  );
});

const reviewerOf = ({ status, waiting_on: waiting }: Json): string | undefined =>
  status === 'in_review' ? (waiting.kind === 'person' ? 'person' : 'agent') : undefined;

const metadataHas = (name: string) => (task: Json, value: string) =>
  task.metadata[name] !== undefined && String(task.metadata[name]) === value;

/** The documented filters: what a task has to fulfil, said plainly. */
const meaning: Record<string, (task: Json, value: string) => boolean> = {
  ...Object.fromEntries(
    ['id', 'title', 'status', 'priority', 'assigned_role', 'created_at', 'due_date'].map((field) => [
      field,
      (task: Json, value: string) => task[field] === value,
    ]),
  ),
  assigned_agent: (task, value) => (task.assigned_agent ?? 'none') === value,
  project: (task, value) => task.project === value,
  tag: (task, value) => task.tags.includes(value),
  workflow_run_id: (task, value) => task.run === value,
  review_by: (task, value) => reviewerOf(task) === value,
  created_after: (task, value) => Date.parse(task.created_at) > Date.parse(value),
  created_before: (task, value) => Date.parse(task.created_at) < Date.parse(value),
  due_before: (task, value) => task.due_date !== null && Date.parse(task.due_date) < Date.parse(value),
  is_overdue: ({ due_date: due, status }) =>
    due !== null && Date.parse(due) < Date.now() && !['completed', 'failed', 'cancelled'].includes(status),
  failed_after: ({ failed_at: at }, value) => at !== undefined && Date.parse(at) > Date.parse(value),
  'metadata.ticket_id': metadataHas('ticket_id'),
  'metadata.repository': metadataHas('repository'),
};
const paging = ['limit', 'offset', 'after', 'sort'];
const filters = Object.keys(taskListQuery.shape).filter((name) => !paging.includes(name));
const sorts = taskListQuery.shape.sort.unwrap().options;
/** The filter that an order is only given with. */
const filterOf: Record<string, Record<string, string>> = {
  review_since: { review_by: 'person' },
  failed_at: { failed_after: '2020-01-01T00:00:00Z' },
};

/** Every value that some task has, and one that none has. */
function valuesOf(filter: string): string[] {
  if (filter === 'is_overdue') return ['true'];
  const unknown = /_at$|_date$|_before$|_after$/.test(filter) ? '2030-01-12T00:00:00.500Z' : 'nothing-has-this';
  const field = filter.startsWith('created_')
    ? 'created_at'
    : filter.startsWith('due_')
      ? 'due_date'
      : filter.replace('failed_after', 'failed_at');
  const of = (task: Json): unknown[] => {
    if (filter === 'tag') return task.tags;
    if (filter === 'assigned_agent') return [task.assigned_agent ?? 'none'];
    if (filter === 'workflow_run_id') return [task.run];
    if (filter === 'review_by') return [reviewerOf(task)];
    return [field.startsWith('metadata.') ? task.metadata[field.slice('metadata.'.length)] : task[field]];
  };
  const known = tasks.flatMap(of).filter((value) => value !== null && value !== undefined);
  return [...new Set(known.map(String)), unknown];
}

const orders: Record<string, readonly string[]> = { priority: taskPriorities, status: taskStatuses };

/** Null last in both directions, ties by id in the direction of the sort. */
function sorted(items: Json[], sort: string): Json[] {
  const [field = '', sign] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1];
  return items.toSorted((a, b) => {
    const [x, y] = [a[field], b[field]];
    if ((x === null) === (y === null)) return sign * (inOrder(x, y, orders[field]) || inOrder(a.id, b.id));
    return x === null ? 1 : -1;
  });
}

const idsOf = (items: Json[]): string[] => items.map(({ id }) => id);

async function list(query: Record<string, string>): Promise<Json> {
  const response = await gateway.get(`/v1/tasks?${new URLSearchParams(query).toString()}`);
  if (response.status !== 200) throw new Error(`${JSON.stringify(query)}: ${response.text}`);
  return response.body;
}

/** All pages of both styles are the expected list. */
async function expectList(query: Record<string, string>, expected: Json[]): Promise<void> {
  const all = await list({ ...query, limit: '100' });
  expect({ query, ids: idsOf(all.data), total: all.metadata.total }).toEqual({
    query,
    ids: idsOf(expected),
    total: expected.length,
  });
  const walked: Json[] = [];
  for (let after: string | null = ''; after !== null;) {
    const { data, pagination } = await list({ ...query, limit: '7', after });
    walked.push(...data);
    expect(pagination.total_count).toBe(expected.length);
    expect(pagination.has_more).toBe(walked.length < expected.length);
    after = pagination.next_cursor;
  }
  expect({ query, ids: idsOf(walked) }).toEqual({ query, ids: idsOf(expected) });
  const second = await list({ ...query, limit: '7', offset: '7' });
  expect(idsOf(second.data)).toEqual(idsOf(expected.slice(7, 14)));
}

describe('the list of tasks', () => {
  it('documents exactly the filters that have a meaning here', () => {
    expect([...filters].sort()).toEqual(Object.keys(meaning).sort());
  });

  it.each(filters)('is filtered by %s in the default order', async (filter) => {
    for (const value of valuesOf(filter)) {
      const matches = tasks.filter((task) => meaning[filter]?.(task, value));
      await expectList({ [filter]: value }, sorted(matches, '-created_at'));
    }
  });

  it.each([...sorts])('is sorted by %s', async (sort) => {
    const only = filterOf[sort.replace('-', '')] ?? {};
    const [name = '', value = ''] = Object.entries(only)[0] ?? [];
    const shown = tasks.filter((task) => meaning[name]?.(task, value) ?? true);
    expect(shown.length).toBeGreaterThan(1);
    await expectList({ ...only, sort }, sorted(shown, sort));
    for (const filter of ['tag', 'status', 'due_before'])
      for (const value of valuesOf(filter).slice(0, 2)) {
        const matches = shown.filter((task) => meaning[filter]?.(task, value));
        await expectList({ ...only, [filter]: value, sort }, sorted(matches, sort));
      }
  });

  it('shows overdue tasks in both orders of their due date', async () => {
    const overdue = tasks.filter((task) => meaning['is_overdue']?.(task, 'true'));
    expect(overdue.length).toBeGreaterThan(1);
    await expectList({ is_overdue: 'true', sort: '-due_date' }, sorted(overdue, '-due_date'));
  });

  it('shows tasks without an agent in any order, combined with other filters', async () => {
    const free = tasks.filter((task) => task.assigned_agent === null);
    for (const sort of ['created_at', '-created_at', 'due_date', '-priority', 'assigned_agent'])
      await expectList({ assigned_agent: 'none', sort }, sorted(free, sort));
    const open = free.filter(({ status }) => status === 'open');
    expect(open.length).toBeGreaterThan(0);
    await expectList({ assigned_agent: 'none', status: 'open' }, sorted(open, '-created_at'));
  });

  it('returns the time of failure only in lists of failed tasks by time', async () => {
    const { data } = await list({ failed_after: '2020-01-01T00:00:00Z' });
    for (const task of data) expect(task.failed_at).toBe(tasks.find(({ id }) => id === task.id)?.failed_at);
    for (const task of (await list({ status: 'failed' })).data) expect(task).not.toHaveProperty('failed_at');
  });

  it.each([
    ['sort=review_since', 'format'],
    ['sort=-failed_at', 'format'],
  ])('refuses %s, which no index serves', async (query, constraint) => {
    expectError(await gateway.get(`/v1/tasks?${query}`), 400, 'invalid_request', { field: 'sort', constraint });
  });

  it('is counted by status, as it shows them', async () => {
    const of = async () => (await gateway.get('/v1/tasks/counts')).body.by_status;
    const expected = taskStatuses.map((status) => [status, tasks.filter((task) => task.status === status).length]);
    expect(await of()).toEqual(Object.fromEntries(expected));
    await aggregateTaskCounts(gateway.test.database.db);
    expect(await of()).toEqual(Object.fromEntries(expected));
  });

  it('neither repeats nor misses a task while others are created', async () => {
    const before = await list({ limit: '10', after: '' });
    await gateway.make('/v1/tasks', { title: 'late', description: 'd' });
    const next = await list({ limit: '100', after: before.pagination.next_cursor });
    expect([...idsOf(before.data), ...idsOf(next.data)]).toEqual(idsOf(sorted(tasks, '-created_at')));
    expect(next.pagination.total_count).toBe(tasks.length + 1);
  });

  it('neither repeats nor skips a task while what it is sorted by changes', async () => {
    const tag = 'moving';
    const ids: string[] = [];
    for (const title of ['a', 'b', 'c', 'd', 'e', 'f'])
      ids.push((await gateway.make('/v1/tasks', { title, description: 'd', tags: [tag] })).id);
    const rename = (index: number, title: string) =>
      gateway.send('PATCH', `/v1/tasks/${ids[index]}`, JSON.stringify({ title }));
    for (const title of ['0', 'z']) {
      const first = await list({ tag, sort: 'title', limit: '3', after: '' });
      const end = first.data.at(-1);
      await rename(ids.indexOf(end.id), title);
      const rest = await list({ tag, sort: 'title', limit: '3', after: first.pagination.next_cursor });
      const others = [...idsOf(first.data), ...idsOf(rest.data)].filter((id) => id !== end.id);
      expect(others.toSorted()).toEqual(ids.filter((id) => id !== end.id).toSorted());
      await rename(ids.indexOf(end.id), end.title);
    }
  });

  it('takes an item id in place of a cursor', async () => {
    const all = await list({ tag: 't1', sort: 'title', limit: '100' });
    const next = await list({ tag: 't1', sort: 'title', limit: '2', after: all.data[1].id });
    expect(idsOf(next.data)).toEqual(idsOf(all.data).slice(2, 4));
  });

  it.each([
    ['of another sort', 'v1.WyJzdGF0dXMiLCJ4Iiwib3BlbiJd'],
    ['with a value that the field does not have', 'v1.WyItcHJpb3JpdHkiLCJ4IiwiaHVnZSJd'],
    ['that holds no JSON', 'v1.abc'],
    ['that is cut off', 'v1.'],
    ['with a null character', `v1.${Buffer.from('["-priority","\\u0000","low"]').toString('base64url')}`],
  ])('refuses a cursor %s', async (_, after) => {
    const response = await gateway.get(`/v1/tasks?${new URLSearchParams({ after, sort: '-priority' }).toString()}`);
    expectError(response, 400, 'invalid_request', { field: 'after', constraint: 'format' });
  });

  it('shows a changed tag at once, and no tag that is gone', async () => {
    const { id } = await gateway.make('/v1/tasks', { title: 'tagged', description: 'd', tags: ['one', 'two'] });
    await gateway.send(
      'PATCH',
      `/v1/tasks/${id}`,
      JSON.stringify({ tags: ['two', 'three'], metadata: { ticket_id: 'N-1' } }),
    );
    const found = async (query: Record<string, string>) => idsOf((await list(query)).data);
    expect(await found({ tag: 'one' })).toEqual([]);
    expect(await found({ tag: 'two' })).toEqual([id]);
    expect(await found({ tag: 'three' })).toEqual([id]);
    expect(await found({ 'metadata.ticket_id': 'N-1' })).toEqual([id]);
  });

  it.each(filters.filter((name) => /_at$|_date$|_before$|_after$/.test(name)))(
    'refuses a %s that is no moment',
    async (name) => {
      expectError(await gateway.get(`/v1/tasks?${name}=soon`), 400, 'invalid_request', {
        field: name,
        constraint: 'format',
      });
    },
  );

  it.each(filters)('refuses %s twice, and more of it than it may hold', async (name) => {
    const twice = await gateway.get(`/v1/tasks?${name}=2030-01-01&${name}=2030-01-01`);
    expect([twice.status, twice.body.error.details.field]).toEqual([400, name]);
    const long = await gateway.get(`/v1/tasks?${name}=${'x'.repeat(501)}`);
    expect([long.status, long.body.error.details.field]).toEqual([400, name]);
  });

  it('refuses a sort by what items do not show', async () => {
    expectError(await gateway.get('/v1/tasks?sort=tags'), 400, 'invalid_request', {
      field: 'sort',
      constraint: 'enum',
    });
  });
});
