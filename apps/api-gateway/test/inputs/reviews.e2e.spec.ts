import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';
import { agentScene, eventsOf } from './agent-scene.ts';

const gateway = useGateway();
const moment = expect.stringMatching(/Z$/);
const patch = (taskId: string, body: object) => gateway.send('PATCH', `/v1/tasks/${taskId}`, JSON.stringify(body));
const decide = (taskId: string, decision: 'approve' | 'reject', body: object = {}) =>
  gateway.post(`/v1/tasks/${taskId}/${decision}`, body);
const schema = { type: 'object', required: ['sha'], properties: { sha: { type: 'string' } } };

/** A task whose work waits for the review of the other agent. */
async function inReview() {
  const [author, reviewer] = [await agentScene(gateway), await agentScene(gateway)];
  const { task, lease } = await author.hold({ contract: { review: { role: reviewer.role } } });
  const outcome = { summary: 'Done.', result: { sha: 'a' }, scores: { code_quality: 40 } };
  expect((await author.call(lease, 'complete', outcome)).status).toBe(200);
  const child = (await author.readTask(task.id)).waiting_on.id as string;
  return { author, reviewer, task, lease, outcome, child };
}

it('a task without a review cannot be approved, even by its author: 409', async () => {
  const { addTask } = await agentScene(gateway);
  const task = await addTask();
  expect((await patch(task.id, { status: 'completed' })).status).toBe(200);
  for (const decision of ['approve', 'reject'] as const)
    expectError(await decide(task.id, decision), 409, 'conflict', { field: 'status', constraint: 'state' });
});

describe('a contract', () => {
  it('holds the completion until artifacts and result are there, and the lease stays', async () => {
    const { hold, call, readTask } = await agentScene(gateway);
    const contract = { artifacts: ['pull_request', 'test_report'], result_schema: schema };
    const { task, lease } = await hold({ contract });
    expect((await readTask(task.id)).contract).toEqual(contract);
    await call(lease, 'artifacts', { kind: 'test_report', title: 'All pass.' });
    const before = await gateway.rows();
    const refused = await call(lease, 'complete', { summary: 'Done.', result: { sha: 1 } });
    expectError(refused, 409, 'conflict', { field: 'artifacts.pull_request', constraint: 'contract' });
    expect(refused.body.error.errors).toEqual([
      { field: 'artifacts.pull_request', constraint: 'contract' },
      { field: 'result.sha', constraint: 'contract' },
    ]);
    expect(await gateway.rows()).toEqual(before);
    const artifacts = [{ kind: 'pull_request', url: 'https://example.com/1' }];
    expect((await call(lease, 'complete', { result: { sha: 'a' }, artifacts })).status).toBe(200);
    expect((await readTask(task.id)).status).toBe('completed');
  });

  it('is given to the agent that claims the task', async () => {
    const { addTask, claim } = await agentScene(gateway);
    await addTask({ contract: { artifacts: ['commit'] } });
    expect((await claim()).body.context.contract).toEqual({ artifacts: ['commit'] });
  });

  it('is changed by a merge patch while the task is not claimed', async () => {
    const { addTask, claim, readTask } = await agentScene(gateway);
    const task = await addTask({ contract: { artifacts: ['commit'], review: { role: 'qa' } } });
    const changed = await patch(task.id, { contract: { artifacts: null, result_schema: schema } });
    expect(changed.body.contract).toEqual({ review: { role: 'qa' }, result_schema: schema });
    await claim();
    const before = await gateway.rows();
    const late = await patch(task.id, { contract: null });
    expectError(late, 409, 'conflict', { field: 'contract', constraint: 'state' });
    expect(await gateway.rows()).toEqual(before);
    expect((await readTask(task.id)).contract).toBeDefined();
  });

  it.each<[string, Json, string, string]>([
    ['a pattern', { result_schema: { pattern: 'a' } }, 'contract.result_schema.pattern', 'unknown_field'],
    ['a remote reference', { result_schema: { $ref: 'https://a.b' } }, 'contract.result_schema.$ref', 'format'],
    ['no schema', { result_schema: { type: 'song' } }, 'contract.result_schema.type', 'format'],
    ['17 KiB of schema', { result_schema: { $comment: 'a'.repeat(17_000) } }, 'contract.result_schema', 'max_size'],
    ['an unknown artifact', { artifacts: ['song'] }, 'contract.artifacts.0', 'enum'],
    ['a review without a reviewer', { review: {} }, 'contract.review', 'required'],
    ['a review by two', { review: { role: 'qa', agent_id: 'agt_1' } }, 'contract.review', 'required'],
    ['an unknown reviewer', { review: { agent_id: 'agt_none' } }, 'contract.review.agent_id', 'format'],
    ['an unknown part', { tests: true }, 'contract.tests', 'unknown_field'],
  ])('with %s is 400, in POST and PATCH, and changes nothing', async (_, contract, field, constraint) => {
    const { addTask } = await agentScene(gateway);
    const task = await addTask();
    const before = await gateway.rows();
    const created = await gateway.post('/v1/tasks', { title: 't', description: 'd', contract });
    expectError(created, 400, 'invalid_input', { field, constraint });
    expectError(await patch(task.id, { contract }), 400, 'invalid_input', { field, constraint });
    expect(await gateway.rows()).toEqual(before);
  });

  it('keeps the named reviewer from doing the work itself', async () => {
    const { id, role, addTask, claim } = await agentScene(gateway);
    const before = await gateway.rows();
    const contract = { review: { agent_id: id } };
    const pinned = { title: 't', description: 'd', assigned_role: role, assigned_agent: id, contract };
    expectError(await gateway.post('/v1/tasks', pinned), 400, 'invalid_input', {
      field: 'assigned_agent',
      constraint: 'exists',
    });
    expect(await gateway.rows()).toEqual(before);
    await addTask({ contract });
    expect((await claim()).status).toBe(204);
  });
});

describe('a review', () => {
  it('is a task for another agent, made with the completion', async () => {
    const { author, reviewer, task, lease, outcome, child } = await inReview();
    const shown = await author.readTask(task.id);
    expect(shown).toMatchObject({ status: 'in_review', assigned_agent: author.id });
    expect(shown.waiting_on).toEqual({ kind: 'dependency', id: child, since: moment, deadline: null });
    expect((await author.readAgent()).stats.tasks_completed).toBe(0);
    expect(await author.readTask(child)).toMatchObject({
      title: 'Review: Work',
      status: 'created',
      assigned_role: reviewer.role,
      metadata: { review_of: task.id },
      contract: { result_schema: { required: ['decision'] } },
    });
    expect((await author.call(lease, 'complete', outcome)).status).toBe(200);
    expect((await eventsOf(gateway, task.id)).at(-1)).toMatchObject([
      'task.updated',
      { from: 'in_progress', to: 'in_review' },
    ]);
    const context = (await reviewer.claim()).body.context;
    expect(context.parent).toMatchObject({ task_id: task.id, summary: 'Done.', result: { sha: 'a' } });
  });

  it('that approves completes the task for its author, with its scores', async () => {
    const { author, reviewer, task, child } = await inReview();
    const { lease } = (await reviewer.claim()).body;
    expectError(await reviewer.call(lease, 'complete', { summary: 'Fine.' }), 409, 'conflict', {
      field: 'result.decision',
      constraint: 'contract',
    });
    const outcome = { result: { decision: 'approve', comment: 'Fine.' }, scores: { code_quality: 90 } };
    expect((await reviewer.call(lease, 'complete', outcome)).status).toBe(200);
    expect(await author.readTask(task.id)).toMatchObject({ status: 'completed', waiting_on: null });
    expect((await author.readTask(child)).status).toBe('completed');
    const published = await eventsOf(gateway, task.id);
    expect(published.slice(-2)).toMatchObject([
      ['task.commented', { content: 'Fine.', author: reviewer.id }],
      ['task.completed', { completed_by: author.id, completion_time: moment }],
    ]);
    expect(await author.readAgent()).toMatchObject({
      status: 'idle',
      stats: { tasks_completed: 1, code_quality_score: 90 },
    });
    expect((await reviewer.readAgent()).status).toBe('idle');
  });

  it('that rejects has the work done again, and passes on the reason', async () => {
    const { author, reviewer, task } = await inReview();
    const { lease } = (await reviewer.claim()).body;
    const outcome = { result: { decision: 'reject', comment: 'Tests are missing.' } };
    await reviewer.call(lease, 'complete', outcome);
    expect(await author.readTask(task.id)).toMatchObject({ status: 'open', assigned_agent: author.id });
    const again = (await author.claim()).body;
    expect(again.task.id).toBe(task.id);
    expect(again.directives).toMatchObject([{ kind: 'message', content: 'Tests are missing.', author: reviewer.id }]);
    expect((await author.call(again.lease, 'complete', { summary: 'With tests.' })).status).toBe(200);
    expect((await author.readTask(task.id)).waiting_on).toMatchObject({ kind: 'dependency' });
    expect((await author.readAgent()).stats.tasks_completed).toBe(0);
  });

  it('for a role that only its author has finds no reviewer', async () => {
    const { role, hold, call, claim, readTask } = await agentScene(gateway);
    const { task, lease } = await hold({ contract: { review: { role } } });
    await call(lease, 'complete');
    expect((await claim()).status).toBe(204);
    expect((await readTask(task.id)).status).toBe('in_review');
  });

  it('that ends without a decision leaves it to a person', async () => {
    const { author, task, child } = await inReview();
    await gateway.send('DELETE', `/v1/tasks/${child}`);
    const shown = await author.readTask(task.id);
    expect(shown).toMatchObject({ status: 'in_review', waiting_on: { kind: 'person', id: null } });
    const approved = await decide(task.id, 'approve', { scores: { code_quality: 70 } });
    expect(approved.body).toMatchObject({ status: 'completed' });
    expect((await author.readAgent()).stats).toMatchObject({ tasks_completed: 1, code_quality_score: 70 });
  });

  it('by an agent that was removed in the meantime is left to a person', async () => {
    const [author, reviewer] = [await agentScene(gateway), await agentScene(gateway)];
    const { task, lease } = await author.hold({ contract: { review: { agent_id: reviewer.id } } });
    expect((await gateway.send('DELETE', `/v1/agents/${reviewer.id}`)).status).toBe(204);
    expect((await author.call(lease, 'complete')).status).toBe(200);
    expect((await author.readTask(task.id)).waiting_on).toMatchObject({ kind: 'person', id: null });
  });
});

describe('a person', () => {
  it('approves in place of the review, which is cancelled with the lease of its reviewer', async () => {
    const { author, reviewer, task, child } = await inReview();
    const { lease } = (await reviewer.claim()).body;
    const approved = await decide(task.id, 'approve', { comment: 'Ship it.' });
    expect([approved.status, approved.body.status]).toEqual([200, 'completed']);
    expect((await author.readTask(child)).status).toBe('cancelled');
    const late = await reviewer.call(lease, 'complete', { result: { decision: 'reject' } });
    expect(late.body.error).toMatchObject({
      details: { constraint: 'lease_lost' },
      directives: [{ kind: 'cancel' }],
    });
    expect((await author.readTask(task.id)).status).toBe('completed');
    expect((await reviewer.readAgent()).status).toBe('idle');
    // The decision has no comment of its own, so the author's summary is kept.
    expect((await author.readAgent()).stats.code_quality_score).toBe(40);
  });

  it('rejects, and the agent is notified', async () => {
    const { author, task, child } = await inReview();
    expect((await decide(task.id, 'reject', { comment: 'Not yet.' })).body.status).toBe('open');
    expect((await author.readTask(child)).status).toBe('cancelled');
    const { directives } = (await author.claim()).body;
    expect(directives).toMatchObject([{ kind: 'message', content: 'Not yet.' }]);
  });

  it('does not approve or reject other work than the decision names, and is shown what is there', async () => {
    const { author, task } = await inReview();
    const shown = await gateway.get(`/v1/tasks/${task.id}`);
    const { submission } = shown.body;
    await decide(task.id, 'reject', { submission });
    const open = await decide(task.id, 'approve', { submission });
    expectError(open, 409, 'conflict', { field: 'status', constraint: 'state' });
    const { lease } = (await author.claim()).body;
    await author.call(lease, 'complete', { summary: 'Done again.' });
    const now = (await author.readTask(task.id)).submission as number;
    const before = await gateway.rows();
    for (const decision of ['approve', 'reject'] as const) {
      const late = await decide(task.id, decision, { submission });
      expectError(late, 409, 'conflict', { field: 'submission', constraint: 'version' });
      expect(late.body.error.message).toContain(`submission ${now} is`);
      const headers = { 'if-match': shown.headers.get('etag') ?? '' };
      const stale = await gateway.post(`/v1/tasks/${task.id}/${decision}`, {}, { headers });
      expectError(stale, 412, 'invalid_request', { field: 'If-Match', constraint: 'version' });
    }
    expect(await gateway.rows()).toEqual(before);
    expect((await decide(task.id, 'approve', { submission: now })).body.status).toBe('completed');
  });

  it('cancels a task in review, and its review with it', async () => {
    const { author, task, child } = await inReview();
    expect((await gateway.send('DELETE', `/v1/tasks/${task.id}`)).status).toBe(204);
    expect((await author.readTask(child)).status).toBe('cancelled');
  });

  it('decides nothing about a task that is not in review, in another tenant, or without a fitting body', async () => {
    const { task, child } = await inReview();
    const key = await gateway.makeKey(['tasks:write'], { tenantId: await gateway.test.createTenant() });
    const before = await gateway.rows();
    for (const decision of ['approve', 'reject'] as const) {
      expectError(await decide(child, decision), 409, 'conflict', { field: 'status', constraint: 'state' });
      expectError(await decide('tsk_none', decision), 404, 'not_found');
      expectError(await gateway.post(`/v1/tasks/${task.id}/${decision}`, {}, { key }), 404, 'not_found');
      const bad = await decide(task.id, decision, { scores: { code_quality: 101 } });
      expectError(bad, 400, 'invalid_input', { field: 'scores.code_quality', constraint: 'max' });
    }
    const contract = await patch(child, { contract: null });
    expectError(contract, 409, 'conflict', { field: 'contract', constraint: 'state' });
    expect(await gateway.rows()).toEqual(before);
    await decide(task.id, 'approve');
    const after = await gateway.rows();
    expectError(await decide(task.id, 'reject'), 409, 'conflict', { field: 'status', constraint: 'state' });
    expect(await gateway.rows()).toEqual(after);
  });
});
