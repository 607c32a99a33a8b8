import { runStatuses } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';
import { inOrder } from '../in-order.ts';
import { advance, runScene, step } from './run-scene.ts';

const gateway = useGateway();
const moment = expect.stringMatching(/^\d{4}-.*Z$/);
const hourMs = 3_600_000;

/** One step, then two in parallel, then one that needs both and is approved by a person. */
const diamond = (role: string) => [
  step('plan', role, { duration: 3_600 }),
  step('build', role, {
    needs: ['plan'],
    duration: 7_200,
    task: { title: 'Build {{steps.plan.result.what}}', description: 'For {{parameters.ticket_id}}.' },
  }),
  step('test', role, { needs: ['plan'], duration: 3_600 }),
  step('ship', role, { needs: ['build', 'test'], duration: 3_600, approval: { person: true } }),
];

describe('POST /v1/workflows/{workflow_id}/start', () => {
  it('returns the run object of the interface: the root step in progress, all others pending', async () => {
    const { role, agentId, define, start } = await runScene(gateway);
    const workflowId = await define(diamond(role));
    const response = await gateway.post(`/v1/workflows/${workflowId}/start`, {
      name: 'Login',
      parameters: { ticket_id: 'ENG-1', own: { kept: true } },
    });
    expect(response.status).toBe(201);
    const pending = (key: string) => ({
      id: expect.stringMatching(/^stp_/),
      name: `Step ${key}`,
      assignee: null,
      status: 'pending',
    });
    expect(response.body).toEqual({
      workflow_run_id: expect.stringMatching(/^run_/),
      name: 'Login',
      workflow_id: workflowId,
      status: 'started',
      started_at: moment,
      estimated_completion: moment,
      current_step: {
        id: expect.stringMatching(/^stp_/),
        name: 'Step plan',
        assignee: agentId,
        status: 'in_progress',
      },
      next_steps: [pending('build'), pending('test'), pending('ship')],
    });
    expect(response.headers.get('location')).toMatch(new RegExp(`/v1/runs/${response.body.workflow_run_id}$`));
    const { started_at: startedAt, estimated_completion: ends } = response.body;
    // The longest way through: plan, build, ship.
    expect(Date.parse(ends) - Date.parse(startedAt)).toBe(4 * hourMs);
    expect((await start(workflowId)).workflow_run_id).not.toBe(response.body.workflow_run_id);
  });

  it('leaves a step of a role without agents to the first agent that comes', async () => {
    const { define, start, read } = await runScene(gateway);
    const run = await start(await define([step('a', 'runs-unstaffed')]));
    expect(run.current_step).toMatchObject({ assignee: null, status: 'in_progress' });
    const { id } = await gateway.make('/v1/agents', { name: 'late', role: 'runs-unstaffed' });
    expect((await gateway.post(`/v1/agents/${id}/claims`, {})).status).toBe(200);
    expect((await read(run)).current_step.assignee).toBe(id);
  });

  it('makes a task of the step, with the run among its filters', async () => {
    const { role, define, start } = await runScene(gateway);
    const run = await start(await define([step('a', role)]));
    const { body } = await gateway.get(`/v1/tasks?workflow_run_id=${run.workflow_run_id}`);
    expect(body.data).toMatchObject([{ title: 'a of Login', assigned_role: role, status: 'created' }]);
  });

  it('with a used Idempotency-Key gives the same run, and starts none', async () => {
    const { role, define } = await runScene(gateway);
    const path = `/v1/workflows/${await define([step('a', role)])}/start`;
    const headers = { 'idempotency-key': `start-${role}` };
    const first = await gateway.post(path, { name: 'Once' }, { headers });
    const rows = await gateway.rows();
    const again = await gateway.post(path, { name: 'Once' }, { headers });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    const other = await gateway.post(path, { name: 'Twice' }, { headers });
    expectError(other, 409, 'conflict', { field: 'Idempotency-Key', constraint: 'idempotency_key_reuse' });
    expect(await gateway.rows()).toEqual(rows);
  });

  it.each<[string, object, string, string]>([
    ['without a name', {}, 'name', 'required'],
    ['with a blank name', { name: ' ' }, 'name', 'required'],
    ['without a parameter that is required', { name: 'n' }, 'parameters.size', 'required'],
    ['with a parameter of another type', { name: 'n', parameters: { size: 'big' } }, 'parameters.size', 'type'],
    [
      'with a word that is none of the choices',
      { name: 'n', parameters: { size: 1, tone: 'c' } },
      'parameters.tone',
      'enum',
    ],
    ['with a number as a ticket', { name: 'n', parameters: { size: 1, ticket_id: 7 } }, 'parameters.ticket_id', 'type'],
    ['with no day', { name: 'n', parameters: { size: 1, due_date: '2027-02-30' } }, 'parameters.due_date', 'format'],
    ['with an unknown field', { name: 'n', parameters: { size: 1 }, colour: 'red' }, 'colour', 'unknown_field'],
  ])('%s is 400 naming it, and starts nothing', async (_what, body, field, constraint) => {
    const { role, define } = await runScene(gateway);
    const parameters = { size: { type: 'integer', required: true }, tone: { type: 'string', enum: ['a', 'b'] } };
    const path = `/v1/workflows/${await define([step('a', role)], { parameters })}/start`;
    const rows = await gateway.rows();
    const violation = { field, constraint };
    const response = await gateway.post(path, body);
    expect(response.body.error.errors).toContainEqual(violation);
    expect([response.status, response.body.error.code]).toEqual([400, 'invalid_input']);
    expect(await gateway.rows()).toEqual(rows);
  });

  it('of a workflow that the tenant does not have is 404', async () => {
    const { role, define } = await runScene(gateway);
    const id = await define([step('a', role)]);
    const key = await gateway.makeKey(['workflows:run'], { tenantId: await gateway.test.createTenant() });
    const rows = await gateway.rows();
    expectError(await gateway.post('/v1/workflows/wfl_none/start', { name: 'n' }), 404, 'not_found');
    expectError(await gateway.post(`/v1/workflows/${id}/start`, { name: 'n' }, { key }), 404, 'not_found');
    expect(await gateway.rows()).toEqual(rows);
  });
});

describe('a run', () => {
  it('goes from start to end as agents complete its steps, results feeding later ones', async () => {
    const { role, agentId, define, start, read, work, statuses, decide } = await runScene(gateway);
    const run = await start(await define(diamond(role)), { parameters: { ticket_id: 'ENG-1' } });
    await work({ what: 'a door' });
    expect(await statuses(run)).toEqual({
      plan: 'completed',
      build: 'in_progress',
      test: 'in_progress',
      ship: 'pending',
    });
    const built = await work({ sha: 'a1' });
    expect(built).toMatchObject({ title: 'Build a door', description: 'For ENG-1.' });
    expect((await statuses(run))['ship']).toBe('pending');
    await work();
    expect((await statuses(run))['ship']).toBe('in_progress');
    await work();
    const waiting = await read(run);
    expect(waiting.current_step).toMatchObject({ name: 'Step ship', status: 'awaiting_approval', assignee: agentId });
    expect((await decide(run, 'ship', 'approve')).status).toBe(200);
    const ended = await read(run);
    expect(ended).toMatchObject({ status: 'completed', current_step: null, next_steps: [], finished_at: moment });
    expect(ended.estimated_completion).toBe(ended.finished_at);
    expect(ended.steps).toMatchObject(
      ['plan', 'build', 'test', 'ship'].map((key) => ({
        key,
        name: `Step ${key}`,
        role,
        assignee: agentId,
        status: 'completed',
        attempt: 1,
        task_id: expect.stringMatching(/^tsk_/),
        started_at: moment,
        finished_at: moment,
      })),
    );
    expect(ended.steps[1]).toMatchObject({ id: run.next_steps[0].id, task_id: built.id, result: { sha: 'a1' } });
    await advance(gateway);
    expect(await read(run)).toEqual(ended);
  });

  it('skips a step whose condition is not met, and continues after it', async () => {
    const { role, define, start, work, statuses, read } = await runScene(gateway);
    const condition = { path: 'steps.a.result.risky', op: 'eq', value: true };
    const steps = [step('a', role), step('b', role, { needs: ['a'], condition }), step('c', role, { needs: ['b'] })];
    const run = await start(await define(steps));
    await work({ risky: false });
    expect(await statuses(run)).toEqual({ a: 'completed', b: 'skipped', c: 'in_progress' });
    await work();
    expect((await read(run)).status).toBe('completed');
  });

  it('shows its version as ETag, and what it was started with', async () => {
    const { role, define, start, read, work } = await runScene(gateway);
    const parameters = { ticket_id: 'ENG-1', own: { deep: [1, null] } };
    const run = await start(await define([step('a', role), step('b', role, { needs: ['a'] })]), { parameters });
    const path = `/v1/runs/${run.workflow_run_id}`;
    const before = (await gateway.get(path)).headers.get('etag');
    expect(await read(run)).toMatchObject({
      ...run,
      parameters,
      workflow_version: 1,
      paused_at: null,
      finished_at: null,
    });
    expect((await gateway.get(path)).headers.get('etag')).toBe(before);
    await work();
    expect((await gateway.get(path)).headers.get('etag')).not.toBe(before);
  });

  it('is 404 in every call of another tenant, and when there is none', async () => {
    const { role, define, start } = await runScene(gateway);
    const run = await start(await define([step('a', role)]));
    const key = await gateway.makeKey(['workflows:read', 'workflows:run'], {
      tenantId: await gateway.test.createTenant(),
    });
    const rows = await gateway.rows();
    for (const [id, options] of [
      [run.workflow_run_id, { key }],
      ['run_none', {}],
    ] as const) {
      for (const path of ['', '/timeline', '/events'])
        expectError(await gateway.get(`/v1/runs/${id}${path}`, options), 404, 'not_found');
      const acts = ['cancel', 'pause', 'resume', 'retry', `steps/${run.current_step.id}/approve`];
      for (const act of acts) expectError(await gateway.post(`/v1/runs/${id}/${act}`, {}, options), 404, 'not_found');
    }
    expect(await gateway.rows()).toEqual(rows);
  });
});

describe('GET /v1/runs', () => {
  const ids = (response: Json) => response.body.data.map(({ workflow_run_id: id }: Json) => id);

  it('filters and sorts by every scalar field, null last, newest first by default', async () => {
    const { role, define, start, steer, work } = await runScene(gateway);
    const one = await define([step('a', role, { duration: 60 })]);
    const two = await define([step('a', role, { duration: 600 })]);
    const runs = [await start(one, { name: 'b' }), await start(one, { name: 'a' })];
    await work();
    runs.push(await start(two, { name: 'c' }), await start(two, { name: 'b' }));
    expect((await steer(runs[1], 'pause')).status).toBe(200);
    expect((await steer(runs[3], 'cancel')).status).toBe(200);
    // Only the newest four are checked: other suites have runs too.
    const all = (await gateway.get('/v1/runs?limit=4')).body.data as Json[];
    expect(all.map(({ workflow_run_id: id }) => id)).toEqual(runs.map(({ workflow_run_id: id }) => id).toReversed());
    expect(Object.keys(all[0]).toSorted()).toEqual([
      'estimated_completion',
      'finished_at',
      'name',
      'paused_at',
      'started_at',
      'status',
      'workflow_id',
      'workflow_run_id',
      'workflow_version',
    ]);
    for (const field of Object.keys(all[0])) {
      const sorted = (await gateway.get(`/v1/runs?sort=${field}&limit=100`)).body.data as Json[];
      const values = sorted.map((run) => run[field]).filter((value) => value !== null);
      expect([field, sorted.slice(values.length).every((run) => run[field] === null)]).toEqual([field, true]);
      const order = field === 'status' ? runStatuses : undefined;
      expect([field, values]).toEqual([field, values.toSorted((a, b) => inOrder(a, b, order))]);
      const [having] = all.filter((run) => run[field] !== null);
      const same = await gateway.get(`/v1/runs?limit=100&${new URLSearchParams({ [field]: String(having[field]) })}`);
      expect([field, same.body.data.length > 0]).toEqual([field, true]);
      for (const run of same.body.data) expect([field, run[field]]).toEqual([field, having[field]]);
    }
    expect(ids(await gateway.get(`/v1/runs?workflow_id=${one}&sort=name`))).toEqual([
      runs[1].workflow_run_id,
      runs[0].workflow_run_id,
    ]);
    expect((await gateway.get('/v1/runs?workflow_id=wfl_none')).body.metadata.total).toBe(0);
    const ended = `/v1/runs?status=cancelled&workflow_id=${two}&sort=-finished_at&finished_after=`;
    expect(ids(await gateway.get(`${ended}2020-01-01T00:00:00Z`))).toEqual([runs[3].workflow_run_id]);
    expect(ids(await gateway.get(`${ended}2999-01-01T00:00:00Z`))).toEqual([]);
  });

  it('pages by cursor, stable while runs are started', async () => {
    const { role, define, start } = await runScene(gateway);
    const id = await define([step('a', role)]);
    const runs = [await start(id), await start(id), await start(id)];
    const path = `/v1/runs?workflow_id=${id}&limit=2`;
    const first = await gateway.get(`${path}&after=`);
    const next_cursor = expect.any(String);
    expect(first.body.pagination).toEqual({ total_count: 3, limit: 2, has_more: true, next_cursor });
    await start(id);
    const second = await gateway.get(`${path}&after=${first.body.pagination.next_cursor}`);
    expect([...ids(first), ...ids(second)]).toEqual(runs.map(({ workflow_run_id: run }) => run).toReversed());
    expect(second.body.pagination).toMatchObject({ has_more: false, next_cursor: null });
  });

  it('refuses an unknown status, an unknown cursor and a wrong sort', async () => {
    const refused: [string, string, string][] = [
      ['status=walking', 'status', 'enum'],
      ['after=run_none', 'after', 'format'],
      ['sort=parameters', 'sort', 'enum'],
      ['limit=101', 'limit', 'max'],
    ];
    for (const [query, field, constraint] of refused)
      expectError(await gateway.get(`/v1/runs?${query}`), 400, 'invalid_request', { field, constraint });
  });
});
