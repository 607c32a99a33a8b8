// Sections 2, 3 and 4: workflows, their runs, integrations and analytics.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { call, eventually, type Json, ok, post, remove } from './call.ts';
import {
  absent,
  arrayOf,
  assertForm,
  exactly,
  fraction,
  hours,
  integer,
  itHas,
  object,
  orNull,
  shaped,
  text,
  timestamp,
} from './forms.ts';
import { testSort } from './lists.ts';
import { completeTask, makeAgent, makeTask, roleOf } from './work.ts';

describe('workflows', () => {
  let list: Json;
  let workflow: Json;
  let run: Json;
  const runs: string[] = [];
  const parameters = {
    feature_description: 'Limit failed logins',
    priority: 'high',
    due_date: '2027-01-31T10:00:00Z',
    repository: 'web',
    ticket_id: 'ENG-1',
  };
  const start = async (body: object): Promise<Json> => {
    const started = await post(`/v1/workflows/${workflow.id}/start`, body);
    runs.push(started.workflow_run_id);
    return started;
  };
  before(async () => {
    list = await ok('/v1/workflows');
    workflow = list.data.find(({ name }: Json) => name === 'Feature Development');
    run = await start({ name: 'Login limits', parameters });
  });
  after(async () => {
    for (const id of runs) await call(`/v1/runs/${id}/cancel`, { method: 'POST' });
  });

  describe('4 GET /v1/workflows', () => {
    it('GET /v1/workflows responds with data, an array of workflows', () => assertForm(list.data, arrayOf(object)));
    it('GET /v1/workflows has no metadata object', () => assert.deepEqual(Object.keys(list), ['data']));
    testSort('/v1/workflows', 'name');
  });
  describe('2 Workflow', () => {
    itHas('a workflow', () => workflow, {
      id: text,
      name: text,
      description: text,
      steps: integer,
      estimated_duration: text,
    });
    it('steps of a workflow is their number', () => assert.equal(workflow.steps, 1 + run.next_steps.length));
  });

  describe('2 Workflow run', () => {
    const step = { id: text, name: text };
    itHas('a workflow run', () => run, {
      workflow_run_id: text,
      name: exactly('Login limits', 'the name of the request'),
      workflow_id: text,
      status: text,
      started_at: timestamp,
      estimated_completion: timestamp,
      current_step: shaped({ ...step, assignee: text, status: text }),
      next_steps: arrayOf(shaped({ ...step, assignee: orNull(text), status: text })),
    });
    it('workflow_id of a run is the one of the workflow', () => assert.equal(run.workflow_id, workflow.id));
    it('the assignee of current_step is an agent', async () => {
      assert.equal((await ok(`/v1/agents/${run.current_step.assignee}`)).id, run.current_step.assignee);
    });
  });
  describe('3 start of a run', () => {
    it('the status of a started run is started', () => assert.equal(run.status, 'started'));
    it('the first step of a started run is in_progress', () => assert.equal(run.current_step.status, 'in_progress'));
    it('later steps of a started run are pending', () =>
      assertForm(run.next_steps, arrayOf(shaped({ status: exactly('pending') }))));
  });
  describe('4 POST /v1/workflows/{workflow_id}/start', () => {
    it('a run starts with a name alone', async () => assert.equal((await start({ name: 'Alone' })).name, 'Alone'));
    for (const [key, value] of Object.entries(parameters))
      it(`a run takes the parameter ${key}`, async () => {
        const { workflow_run_id: id } = await start({ name: key, parameters: { [key]: value } });
        assert.deepEqual((await ok(`/v1/runs/${id}`)).parameters, { [key]: value });
      });
  });
});

describe('integrations', () => {
  const ids: string[] = [];
  let list: Json;
  const ofType = (type: string): Json => list.data.find((one: Json) => one.type === type && ids.includes(one.id));
  before(async () => {
    const secret = 'a-secret-of-sixteen-or-more';
    const webhook_url = 'https://hooks.example.com/services/T/B/x';
    for (const body of [
      { type: 'slack', workspace_name: 'acme', channels: ['#builds'], webhook_url, events: ['workflow.failed'] },
      { type: 'github', org_name: 'acme', repositories: ['web'], secret },
    ])
      ids.push((await post('/v1/integrations', body)).id);
    list = await ok('/v1/integrations');
  });
  after(async () => {
    for (const id of ids) await remove(`/v1/integrations/${id}`);
  });

  describe('4 GET /v1/integrations', () => {
    it('GET /v1/integrations responds with data, an array of integrations', () =>
      assertForm(list.data, arrayOf(object)));
    it('GET /v1/integrations has no metadata object', () => assert.deepEqual(Object.keys(list), ['data']));
    testSort('/v1/integrations', 'type');
  });
  const every = { id: text, type: text, status: exactly('active'), connected_at: timestamp };
  describe('2 Integration of a chat workspace', () => {
    itHas('a chat workspace', () => ofType('slack'), {
      ...every,
      workspace_name: text,
      channels: arrayOf(text),
      org_name: absent,
      repositories: absent,
    });
  });
  describe('2 Integration of a source host', () => {
    itHas('a source host', () => ofType('github'), {
      ...every,
      org_name: text,
      repositories: arrayOf(text),
      workspace_name: absent,
      channels: absent,
    });
  });
});

describe('analytics', () => {
  const role = roleOf('analytics');
  const path = '/v1/analytics/performance';
  let metrics: Json;
  before(async () => {
    const { id } = await makeAgent({ role });
    await completeTask(id, (await makeTask({ assigned_role: role })).id);
    await makeTask({ assigned_role: role });
    await eventually(
      () => ok(`${path}?role=${role}`),
      ({ tasks }) => tasks.total === 2 && tasks.completed === 1,
    );
    metrics = await ok(path);
  });

  describe('2 Performance metrics', () => {
    itHas('performance metrics', () => metrics, {
      period: text,
      'date_range.start': timestamp,
      'date_range.end': timestamp,
      'tasks.total': integer,
      'tasks.completed': integer,
      'tasks.in_progress': integer,
      'tasks.overdue': integer,
      'tasks.completion_rate': fraction,
      'tasks.avg_completion_time': hours,
      agents: object,
    });
    for (const [name, added] of [
      ['rd', { code_quality: integer, requirements_clarity: absent }],
      ['pm', { code_quality: absent, requirements_clarity: integer }],
      [role, { code_quality: absent, requirements_clarity: absent }],
    ] as const)
      itHas(`agents.${name === role ? '<any other role>' : name}`, () => metrics.agents[name], {
        tasks_completed: integer,
        avg_completion_time: text,
        ...added,
      });
  });
  describe('4 GET /v1/analytics/performance', () => {
    for (const period of ['day', 'week', 'month', 'quarter', 'year'])
      it(`GET /v1/analytics/performance echoes period=${period}`, async () =>
        assert.equal((await ok(`${path}?period=${period}`)).period, period));
    it('GET /v1/analytics/performance?role= has the numbers of this role', async () => {
      const { tasks, agents } = await ok(`${path}?role=${role}`);
      assert.deepEqual([tasks.total, tasks.completed, Object.keys(agents)], [2, 1, [role]]);
    });
    it('GET /v1/analytics/performance takes period and role', async () => {
      const { period, tasks } = await ok(`${path}?period=year&role=${role}`);
      assert.deepEqual([period, tasks.total], ['year', 2]);
    });
  });
});
