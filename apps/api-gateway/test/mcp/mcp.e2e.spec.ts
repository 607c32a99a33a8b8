import { sweepExpiredLeases } from '@eas/tasks';
import { eventually } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import type { Json } from '../gateway.ts';
import { expectRefusal, useMcp } from './mcp-scene.ts';

const { gateway, connect, scene } = useMcp();

describe('an agent', () => {
  it('works on a task from claim to completion', async () => {
    const { id, mcp, addTask, claim, read } = await scene();
    const task = await addTask();
    const lease = await claim();
    expect((await mcp.call('get_task', { task_id: task.id })).body).toMatchObject({
      id: task.id,
      status: 'in_progress',
    });
    const renewed = { expires_at: expect.stringMatching(/Z$/), directives: [] };
    const progress = await mcp.call('report_progress', { ...lease, percent_complete: 40, comment: 'Half way.' });
    expect(progress).toEqual({ isError: false, body: renewed, text: JSON.stringify(progress.body) });
    const artifact = await mcp.call('attach_artifact', { ...lease, kind: 'commit', sha: 'a1' });
    expect(artifact.body).toMatchObject({ artifact: { kind: 'commit', sha: 'a1' } });
    expect((await mcp.call('check_inbox', lease)).body).toEqual(renewed);
    const done = await mcp.call('complete_task', { ...lease, summary: 'Done.', result: { sha: 'a1' } });
    expect(done.body).toEqual({ expires_at: null, directives: [] });
    expect(await read(task.id)).toMatchObject({ status: 'completed', assigned_agent: id });
  });

  it('waits for a task that comes, and gets an empty result when none came', async () => {
    const { mcp, addTask } = await scene();
    expect(await mcp.call('claim_task')).toEqual({ isError: false, body: {}, text: 'No task is available.' });
    const waiting = mcp.call('claim_task', { wait_seconds: 20 });
    const task = await addTask();
    expect((await waiting).body.task.id).toBe(task.id);
  });

  it('asks a person, reads the answer in its inbox and goes on', async () => {
    const { mcp, addTask, claim, read } = await scene();
    const task = await addTask();
    const lease = await claim();
    const asked = await mcp.call('ask_person', { ...lease, kind: 'approval', prompt: 'May it go?' });
    expect(asked.body).toMatchObject({ expires_at: null, input: { status: 'pending' } });
    expect((await read(task.id)).status).toBe('blocked');
    const answer = { decision: 'approve', comment: 'Yes.' };
    expect((await gateway.post(`/v1/inputs/${asked.body.input.id}/answer`, answer)).status).toBe(200);
    const inbox = await mcp.call('check_inbox', lease);
    expect(inbox.body.directives).toMatchObject([{ kind: 'answer', input_id: asked.body.input.id, ...answer }]);
    const [{ id }] = inbox.body.directives;
    expect((await mcp.call('check_inbox', { ...lease, directive_ids: [id] })).body.directives).toEqual([]);
    expect((await read(task.id)).status).toBe('in_progress');
  });

  it('waits for the answer in one call, and gets an empty list if nothing has come', async () => {
    const { mcp, addTask, claim } = await scene();
    await addTask();
    const lease = await claim();
    const asked = await mcp.call('ask_person', { ...lease, kind: 'question', prompt: 'Which?' });
    expect((await mcp.call('wait_for_answer', { ...lease, wait_seconds: 0 })).body.directives).toEqual([]);
    const waiting = mcp.call('wait_for_answer', lease);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await gateway.post(`/v1/inputs/${asked.body.input.id}/answer`, { answer: 'This.' });
    expect((await waiting).body.directives).toMatchObject([{ kind: 'answer', answer: 'This.' }]);
  });

  it('holds its task for 15 minutes from each call, or for as long as it claims it', async () => {
    const { mcp, addTask } = await scene();
    const minutes = ({ expires_at: at }: Json) => Math.round((Date.parse(at) - Date.now()) / 60_000);
    await addTask();
    const { lease } = (await mcp.call('claim_task')).body;
    expect(minutes(lease)).toBe(15);
    const proof = { lease_id: lease.lease_id, fencing_token: lease.fencing_token };
    expect(minutes((await mcp.call('report_progress', { ...proof, percent_complete: 5 })).body)).toBe(15);
    await mcp.call('release_task', { ...proof, not_before_seconds: 0 });
    const short = (await mcp.call('claim_task', { lease_seconds: 120 })).body.lease;
    expect(minutes(short)).toBe(2);
    await mcp.call('release_task', { ...short, not_before_seconds: 0, expires_at: undefined });
    const nulls = { lease_seconds: null, wait_seconds: null, agent_id: null };
    expect(minutes((await mcp.call('claim_task', nulls)).body.lease)).toBe(15);
  });

  it('that has lost its lease gets instructions how to continue', async () => {
    const { mcp, addTask, claim } = await scene();
    await addTask();
    const lease = await claim();
    const [held] = (await mcp.call('list_my_leases')).body.leases;
    await mcp.call('resume_task', { lease_id: held.lease.lease_id, fencing_token: held.lease.fencing_token });
    const { content } = await mcp.client.callTool({ name: 'report_progress', arguments: lease });
    expect(content).toMatchObject([
      { text: expect.stringContaining('lease_lost') },
      { text: expect.stringMatching(/complete_task.*list_my_leases.*resume_task.*claim_task/) },
    ]);
    const completion = await mcp.client.callTool({ name: 'complete_task', arguments: { ...lease, summary: 'Done.' } });
    expect(completion.content).toMatchObject([
      { text: expect.stringContaining('lease_lost') },
      { text: expect.stringMatching(/^Stop working on the task. Call list_my_leases/) },
    ]);
  });

  it('that finished late completes its task with its artifacts, while no other agent has claimed it', async () => {
    const { id, mcp, addTask, claim, read } = await scene();
    const task = await addTask();
    const lease = await claim();
    const ended = `UPDATE leases SET expires_at = app_now() - interval '1 s' WHERE id = $1`;
    await gateway.test.database.db.query(ended, [lease.lease_id]);
    await sweepExpiredLeases(gateway.test.database);
    const artifact = { kind: 'commit', sha: 'a1' };
    const refused = await mcp.client.callTool({ name: 'attach_artifact', arguments: { ...lease, ...artifact } });
    expect(refused.content).toMatchObject([{}, { text: expect.stringMatching(/complete_task.* and its artifacts/) }]);
    const done = await mcp.call('complete_task', { ...lease, summary: 'Done.', artifacts: [artifact] });
    expect(done.isError).toBe(false);
    expect(await read(task.id)).toMatchObject({ status: 'completed', assigned_agent: id, artifacts: [artifact] });
  });

  it('fails, releases and hands off', async () => {
    const { mcp, addTask, claim, read } = await scene();
    const [failed, released, handed] = [await addTask(), await addTask(), await addTask()];
    expect((await mcp.call('fail_task', { ...(await claim()), reason: 'No.', retryable: false })).isError).toBe(false);
    expect((await mcp.call('release_task', { ...(await claim()), not_before_seconds: 600 })).isError).toBe(false);
    const handoff = { to: { role: 'qa' }, summary: 'Look.' };
    expect((await mcp.call('handoff_task', { ...(await claim()), ...handoff })).isError).toBe(false);
    expect(await read(failed.id)).toMatchObject({ status: 'failed' });
    expect(await read(released.id)).toMatchObject({ status: 'open' });
    expect(await read(handed.id)).toMatchObject({ status: 'open', assigned_role: 'qa' });
  });

  it('gives a claim back when its caller did not receive it', async () => {
    const { key, addTask, read } = await scene();
    const other = await connect(key);
    const gone = new AbortController();
    const waiting = other.client.callTool({ name: 'claim_task', arguments: { wait_seconds: 20 } }, undefined, {
      signal: gone.signal,
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    gone.abort();
    await other.close();
    await expect(waiting).rejects.toThrow();
    const task = await addTask();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await eventually(async () => ['created', 'open'].includes((await read(task.id)).status));
  });
});

describe('a caller who delegates work', () => {
  it('creates a task, follows it and reads what the agent brought, by tools alone', async () => {
    const { id, role, mcp, claim } = await scene();
    const client = await connect(await gateway.makeKey(['tasks:read', 'tasks:write', 'agents:read']));
    const agents = await client.call('list_agents', { role });
    expect(agents.body).toMatchObject({ data: [{ id, status: 'idle' }], metadata: { total: 1 } });
    const made = await client.call('create_task', {
      title: 'T',
      description: 'D',
      assigned_agent: agents.body.data[0].id,
    });
    expect(made).toMatchObject({ isError: false, body: { status: 'created', assigned_agent: id } });
    const { id: taskId } = made.body;
    const comment = await client.call('comment', { task_id: taskId, content: 'Please hurry.' });
    expect(comment.body).toMatchObject({ type: 'comment', content: 'Please hurry.' });
    const lease = await claim();
    expect((await mcp.call('checkpoint', { ...lease, data: { at: 3 } })).isError).toBe(false);
    const pull = { kind: 'link', title: 'Report', url: 'https://example.com/r', data: { pages: 3 } };
    await mcp.call('attach_artifact', { ...lease, ...pull });
    await mcp.call('complete_task', {
      ...lease,
      summary: 'Done.',
      result: { sha: 'a1' },
      scores: { code_quality: 90 },
    });
    const { body } = await client.call('get_task', { task_id: taskId });
    expect(body).toMatchObject({
      status: 'completed',
      summary: 'Done.',
      result: { sha: 'a1' },
      scores: { code_quality: 90 },
      artifacts: [pull],
    });
    expect((await client.call('list_artifacts', { task_id: taskId })).body.data).toMatchObject([pull]);
    const timeline = await client.call('list_timeline', { task_id: taskId, sort: 'seq', limit: 2 });
    expect(timeline.body.data).toHaveLength(2);
    const page = await client.call('list_tasks', { assigned_agent: id, after: '' });
    expect(page.body).toMatchObject({ data: [{ id: taskId }], pagination: { has_more: false } });
  });

  it('is refused a task that REST refuses, and nothing is written', async () => {
    const client = await connect(await gateway.makeKey(['tasks:read', 'tasks:write']));
    const before = await gateway.rows();
    const create = (more: object) => client.call('create_task', { title: 'T', description: 'D', ...more });
    expectRefusal(await create({ title: ' ' }), 'invalid_input', { field: 'title', constraint: 'required' });
    expectRefusal(await create({ colour: 'red' }), 'invalid_input', { field: 'colour', constraint: 'unknown_field' });
    const schema = { $ref: 'https://example.com/schema' };
    expectRefusal(await create({ contract: { result_schema: schema } }), 'invalid_input', expect.anything());
    expectRefusal(await client.call('comment', { task_id: 'tsk_none', content: 'c' }), 'not_found', {});
    expect(await gateway.rows()).toEqual(before);
  });
});

describe('a caller who may run workflows', () => {
  const define = (role: string) =>
    gateway.make('/v1/workflows', {
      name: 'w',
      description: 'd',
      estimated_duration: '1 day',
      parameters: { size: { type: 'integer', required: true } },
      steps: [{ id: 'only', name: 'Only', role, task: { title: 'Of {{run.name}}', description: 'd' } }],
    });

  it('starts one, and its agents find the work', async () => {
    const { id, role, mcp } = await scene();
    const workflow = await define(role);
    const manager = await connect(await gateway.makeKey(['workflows:run', 'workflows:read', 'tasks:read']));
    const listed = await manager.call('list_workflows', { name: 'w', limit: 100 });
    expect(listed.body.data.map((one: Json) => one.id)).toContain(workflow.id);
    const { definition } = (await manager.call('get_workflow', { workflow_id: workflow.id })).body;
    expect(definition.parameters).toEqual({ size: { type: 'integer', required: true } });
    const runner = await connect(await gateway.makeKey(['workflows:run', 'tasks:read']));
    expect(await runner.toolNames()).toEqual([
      'list_tasks',
      'get_task',
      'list_timeline',
      'list_artifacts',
      'start_workflow',
    ]);
    const args = { workflow_id: workflow.id, name: 'Login', parameters: { size: 3 } };
    const started = await runner.call('start_workflow', args);
    expect(started).toMatchObject({
      isError: false,
      body: { status: 'started', workflow_id: workflow.id, current_step: { assignee: id, status: 'in_progress' } },
    });
    const { workflow_run_id: runId } = started.body;
    const tasks = await runner.call('list_tasks', { workflow_run_id: runId });
    expect(tasks.body.data).toMatchObject([{ title: 'Of Login', assigned_role: role }]);
    const claimed = await mcp.call('claim_task');
    expect(claimed.body.task.id).toBe(tasks.body.data[0].id);
    const read = await mcp.call('get_task', { task_id: claimed.body.task.id });
    expect(read.body.workflow_run_id).toBe(runId);
    const run = await manager.call('get_run', { run_id: runId });
    expect(run.body).toMatchObject({ status: 'started', steps: [{ key: 'only', task_id: claimed.body.task.id }] });
  });

  it('is refused what REST refuses, and starts nothing', async () => {
    const { role, mcp } = await scene();
    const workflow = await define(role);
    const runner = await connect(await gateway.makeKey(['workflows:run']));
    const before = await gateway.rows();
    const start = (args: object) => runner.call('start_workflow', { workflow_id: workflow.id, name: 'n', ...args });
    expectRefusal(await start({}), 'invalid_input', { field: 'parameters.size', constraint: 'required' });
    expectRefusal(await start({ parameters: { size: 'big' } }), 'invalid_input', {
      field: 'parameters.size',
      constraint: 'type',
    });
    expectRefusal(await start({ workflow_id: 'wfl_none' }), 'not_found', {});
    expectRefusal(await mcp.call('start_workflow', { workflow_id: workflow.id, name: 'n' }), 'forbidden', {});
    expect(await gateway.rows()).toEqual(before);
  });
});

describe('a call that REST refuses', () => {
  it('is refused with the same error, and changes nothing', async () => {
    const { mcp, addTask, claim, role } = await scene();
    await addTask();
    const lease = await claim();
    const stale = { ...lease, fencing_token: lease.fencing_token + 1 };
    const other = await gateway.make('/v1/agents', { name: 'other', role });
    const before = await gateway.rows();
    const cases: [string, object, string, object][] = [
      [
        'report_progress',
        { ...lease, percent_complete: 101 },
        'invalid_input',
        { field: 'percent_complete', constraint: 'max' },
      ],
      [
        'report_progress',
        { ...lease, colour: 'red' },
        'invalid_input',
        { field: 'colour', constraint: 'unknown_field' },
      ],
      ['report_progress', { fencing_token: 1 }, 'invalid_input', { field: 'lease_id', constraint: 'required' }],
      ['check_inbox', stale, 'conflict', { field: 'fencing_token', constraint: 'lease_lost' }],
      ['report_progress', stale, 'conflict', { field: 'fencing_token', constraint: 'lease_lost' }],
      ['check_inbox', { ...lease, lease_id: 'lse_none' }, 'not_found', {}],
      ['claim_task', { agent_id: other.id }, 'forbidden', {}],
      ['claim_task', {}, 'conflict', { field: 'agent_id', constraint: 'limit' }],
      ['claim_task', { wait_seconds: 31 }, 'invalid_input', { field: 'wait_seconds', constraint: 'max' }],
    ];
    for (const [name, args, code, details] of cases)
      expectRefusal(await mcp.call(name, args as Record<string, unknown>), code, details);
    expect(await gateway.rows()).toEqual(before);
  });

  it('names the agent only for a key that has none of its own', async () => {
    const admin = await connect(await gateway.makeKey(['admin']));
    expectRefusal(await admin.call('claim_task'), 'invalid_input', { field: 'agent_id', constraint: 'required' });
    const { id } = await gateway.make('/v1/agents', { name: 'a', role: 'mcp-admin' });
    expect((await admin.call('claim_task', { agent_id: id })).text).toBe('No task is available.');
  });

  it('is refused for a list too', async () => {
    const reader = await connect(await gateway.makeKey(['tasks:read']));
    const list = await reader.call('list_tasks', { limit: 1, status: 'created', tag: 'nothing has it' });
    expect(list.body).toEqual({ data: [], metadata: { total: 0, limit: 1, offset: 0 } });
    expectRefusal(await reader.call('list_tasks', { limit: 101 }), 'invalid_request', {
      field: 'limit',
      constraint: 'max',
    });
    expectRefusal(await reader.call('get_task', { task_id: 'tsk_none' }), 'not_found', {});
  });
});
