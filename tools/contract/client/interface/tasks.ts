// Sections 1, 2, 3 and 4: tasks.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Json, ok, post } from './call.ts';
import {
  absent,
  arrayOf,
  assertCarries,
  assertForm,
  boolean,
  exactly,
  hours,
  integer,
  itHas,
  object,
  shaped,
  text,
  timestamp,
} from './forms.ts';
import { listFiltered, testPages, testSort } from './lists.ts';
import { claim, makeAgent, makeTask, readTask, roleOf, under } from './work.ts';

const role = roleOf('task');
const given = {
  title: 'Limit failed logins',
  description: 'Five a minute, then 429.',
  priority: 'high',
  due_date: '2027-01-31T10:00:00Z',
  assigned_role: role,
  tags: ['security', 'login'],
  metadata: { ticket_id: 'ENG-1', repository: 'web', other: { nested: [1, null, true] } },
};

describe('tasks', () => {
  let agentId = '';
  let made: Json;
  let single: Json;
  const entry = (type: string): Json => single.activity.find((one: Json) => one.type === type);
  before(async () => {
    agentId = (await makeAgent({ role })).id;
    made = await post('/v1/tasks', given);
    const lease = await claim(agentId, made.id);
    await under(lease, 'progress', {
      percent_complete: 40,
      estimate_remaining: '2.5h',
      milestones: [{ name: 'Counter', completed: true }],
    });
    await post(`/v1/tasks/${made.id}/comments`, { content: 'Half way.' });
    single = await readTask(made.id);
  });

  describe('2 Task', () => {
    itHas('a task', () => single, {
      id: text,
      title: text,
      description: text,
      status: text,
      priority: text,
      due_date: timestamp,
      assigned_role: exactly(role, 'an agent role'),
      assigned_agent: text,
      tags: arrayOf(text),
      metadata: object,
      'metadata.ticket_id': text,
      'metadata.repository': text,
      created_at: timestamp,
      updated_at: timestamp,
      'progress.percent_complete': integer,
      'progress.estimate_remaining': hours,
      'progress.milestones': arrayOf(shaped({ name: text, completed: boolean })),
      activity: arrayOf(shaped({ type: text })),
    });
    it('assigned_agent is the id of an agent', () => assert.equal(single.assigned_agent, agentId));
    it('assigned_agent is null when no agent is assigned', async () =>
      assert.equal((await makeTask({ assigned_role: roleOf('unstaffed') })).assigned_agent, null));
    it('metadata is free-form', () => assert.deepEqual(single.metadata, given.metadata));
    for (const priority of ['high', 'medium'])
      it(`priority can be ${priority}`, async () =>
        assert.equal((await makeTask({ priority, assigned_role: roleOf('unstaffed') })).priority, priority));
    it('a time with an offset is returned in UTC', async () => {
      const due_date = '2027-01-31T12:00:00+02:00';
      assert.equal((await makeTask({ due_date, assigned_role: roleOf('unstaffed') })).due_date, given.due_date);
    });
  });

  describe('2 Task, activity', () => {
    itHas('a status change', () => entry('status_change'), { from: text, to: text, timestamp });
    itHas('a comment', () => entry('comment'), { content: exactly('Half way.'), timestamp });
    it('activity has entries of these types alone', () => {
      assert.deepEqual([...new Set(single.activity.map(({ type }: Json) => type))].toSorted(), [
        'comment',
        'status_change',
      ]);
    });
  });

  const onlySingle = { updated_at: absent, progress: absent, activity: absent };
  describe('2 Task as it was created', () => itHas('a task as it was created', () => made, onlySingle));
  describe('2 Task in a list', () => {
    let inList: Json;
    before(async () => {
      [inList] = (await ok(`/v1/tasks?assigned_role=${role}`)).data;
      assert.equal(inList.id, made.id);
    });
    itHas('a task in a list', () => inList, onlySingle);
  });

  describe('3 task transitions', () => {
    it('the status of a task after its creation is created', () => assert.equal(made.status, 'created'));
    it('the response of creation carries assigned_agent', () => assertCarries(made, 'assigned_agent'));
    it('a created task moves to in_progress', () => assert.equal(single.status, 'in_progress'));
    it('the move from created to in_progress is recorded as activity', () => {
      const { timestamp: at, ...change } = entry('status_change');
      assert.deepEqual(change, { type: 'status_change', from: 'created', to: 'in_progress' });
      assertForm(at, timestamp);
    });
  });

  describe('4 POST /v1/tasks', () => {
    for (const [field, value] of Object.entries(given))
      it(`POST /v1/tasks takes ${field}`, () => assert.deepEqual([made[field], single[field]], [value, value]));
    const names = ['id', 'status', ...Object.keys(given), 'assigned_agent', 'created_at'];
    it(`POST /v1/tasks responds with ${names.join(', ')}`, () => assertCarries(made, ...names));
  });

  describe('4 GET /v1/tasks/{task_id}', () => {
    it('GET /v1/tasks/{task_id} responds with the full task', () => {
      const names = ['id', 'status', ...Object.keys(given), 'assigned_agent', 'created_at'];
      assertCarries(single, ...names, 'updated_at', 'progress', 'activity');
    });
  });
});

describe('4 GET /v1/tasks', () => {
  const role = roleOf('filters');
  const ids: Record<string, string> = {};
  let agentId = '';
  before(async () => {
    agentId = (await makeAgent({ role, max_concurrent_tasks: 5 })).id;
    for (const status of ['open', 'in_progress', 'created']) {
      const { id } = await makeTask({ assigned_role: role });
      ids[status] = id;
      if (status === 'created') continue;
      const lease = await claim(agentId, id);
      if (status === 'open') await under(lease, 'release', { not_before_seconds: 3_600 });
    }
  });

  for (const status of ['created', 'open', 'in_progress'])
    it(`GET /v1/tasks?status=${status} lists tasks with this status`, async () =>
      assert.deepEqual(await listFiltered('/v1/tasks', { status, assigned_role: role }), [ids[status]]));
  it('GET /v1/tasks?status= lists tasks of all roles', async () => {
    assert.ok((await listFiltered('/v1/tasks', { status: 'open' })).includes(ids['open'] ?? ''));
  });
  it('GET /v1/tasks?assigned_role= lists tasks of this role', async () => {
    const found = await listFiltered('/v1/tasks', { assigned_role: role });
    assert.deepEqual(found.toSorted(), Object.values(ids).toSorted());
  });
  it('GET /v1/tasks?assigned_agent= lists tasks of this agent', async () => {
    assert.ok((await listFiltered('/v1/tasks', { assigned_agent: agentId })).includes(ids['in_progress'] ?? ''));
  });
  it('filters of GET /v1/tasks are combined by &', async () => {
    const both = { assigned_agent: agentId, status: 'in_progress', assigned_role: role };
    assert.deepEqual(await listFiltered('/v1/tasks', both), [ids['in_progress']]);
  });
  const names = ['id', 'title', 'status', 'priority', 'assigned_role', 'assigned_agent', 'created_at', 'due_date'];
  it(`items of GET /v1/tasks carry ${names.join(', ')}`, async () => {
    for (const item of (await ok(`/v1/tasks?assigned_role=${role}`)).data) assertCarries(item, ...names);
  });
  it('assigned_agent of an item of GET /v1/tasks may be null', async () => {
    const assigned_role = roleOf('alone');
    await makeTask({ assigned_role });
    const { data } = await ok(`/v1/tasks?assigned_role=${assigned_role}`);
    assert.deepEqual([data.length, data[0].assigned_agent], [1, null]);
  });
});

describe('4 GET /v1/tasks', () => {
  const assigned_role = roleOf('task-pages');
  before(async () => {
    for (let number = 1; number <= 21; number += 1) await makeTask({ assigned_role, title: `Task ${number}` });
  });
  testPages('/v1/tasks', () => `/v1/tasks?assigned_role=${assigned_role}`);
  testSort('/v1/tasks', 'title', `&assigned_role=${assigned_role}`);
});
