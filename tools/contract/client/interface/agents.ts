// Sections 2, 3 and 4: agents.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, type Json, ok, refused, remove } from './call.ts';
import { absent, arrayOf, assertCarries, hours, integer, itHas, oneOf, shaped, text, timestamp } from './forms.ts';
import { listFiltered, testPages, testSort } from './lists.ts';
import { claim, completeTask, makeAgent, makeTask, readAgent, roleOf } from './work.ts';

const listed = ['id', 'name', 'role', 'status', 'capabilities', 'created_at', 'last_active'];
const states = ['active', 'idle', 'busy'] as const;

describe('agents', () => {
  const role = roleOf('agent');
  let single: Json;
  let inList: Json;
  before(async () => {
    const { id } = await makeAgent({ role });
    await completeTask(id, (await makeTask({ assigned_role: role })).id, { scores: { code_quality: 90 } });
    await makeTask({ assigned_role: role });
    // Tasks are planned after their creation.
    single = await eventually(
      () => readAgent(id),
      ({ current_tasks }) => current_tasks.length > 0,
    );
    [inList] = (await ok(`/v1/agents?role=${role}`)).data;
  });

  describe('2 Agent', () => {
    itHas('an agent', () => single, {
      id: text,
      name: text,
      role: text,
      status: oneOf(...states),
      capabilities: arrayOf(text),
      created_at: timestamp,
      last_active: timestamp,
      current_tasks: arrayOf(shaped({ id: text, title: text })),
      'stats.tasks_completed': integer,
      'stats.avg_completion_time': hours,
      'stats.code_quality_score': integer,
    });
    it('role of an agent is open-ended', () => assert.equal(single.role, role));
  });
  describe('2 Agent in a list', () => {
    before(() => assert.equal(inList.id, single.id));
    itHas('an agent in a list', () => inList, { current_tasks: absent, stats: absent });
  });
  describe('4 GET /v1/agents/{agent_id}', () => {
    it('GET /v1/agents/{agent_id} responds with the full agent', () =>
      assertCarries(single, ...listed, 'current_tasks', 'stats'));
  });
});

describe('agents in lists', () => {
  const role = roleOf('states');
  const ids: Record<string, string> = {};
  before(async () => {
    for (const state of states) {
      const { id } = await makeAgent({ role, max_concurrent_tasks: state === 'busy' ? 1 : 2 });
      ids[state] = id;
      if (state === 'idle') continue;
      await claim(id, (await makeTask({ assigned_role: role, assigned_agent: id })).id);
    }
  });

  describe('3 states of an agent', () => {
    for (const state of states)
      it(`an agent is ${state}`, async () => assert.equal((await readAgent(ids[state] ?? '')).status, state));
  });
  describe('4 GET /v1/agents', () => {
    for (const named of ['rd', 'qa', 'pm'])
      it(`GET /v1/agents?role=${named} lists agents of this role`, async () => {
        await listFiltered('/v1/agents', { role: named });
      });
    it('GET /v1/agents?role= lists agents of any other role', async () => {
      assert.deepEqual((await listFiltered('/v1/agents', { role })).toSorted(), Object.values(ids).toSorted());
    });
    for (const state of states)
      it(`GET /v1/agents?status=${state} lists agents in this state`, async () => {
        await listFiltered('/v1/agents', { status: state });
      });
    it('GET /v1/agents?status= takes no other value', async () => {
      const { code, details } = await refused(400, '/v1/agents?status=asleep');
      assert.deepEqual([code, details.field], ['invalid_request', 'status']);
    });
    it('filters of GET /v1/agents are combined by &', async () => {
      for (const state of states)
        assert.deepEqual(await listFiltered('/v1/agents', { role, status: state }), [ids[state]]);
    });
    it(`items of GET /v1/agents carry ${listed.join(', ')}`, async () => {
      const { data } = await ok('/v1/agents');
      assert.ok(data.length > 0);
      for (const item of data) assertCarries(item, ...listed);
    });
  });
});

describe('4 GET /v1/agents', () => {
  const role = roleOf('pages');
  const ids: string[] = [];
  before(async () => {
    for (let number = 1; number <= 21; number += 1) ids.push((await makeAgent({ role, name: `Agent ${number}` })).id);
  });
  // A tenant may have a thousand.
  after(() => Promise.all(ids.map((id) => remove(`/v1/agents/${id}`))));
  testPages('/v1/agents', () => `/v1/agents?role=${role}`);
  testSort('/v1/agents', 'name', `&role=${role}`);
});
