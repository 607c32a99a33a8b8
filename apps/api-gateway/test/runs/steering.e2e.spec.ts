import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';
import { advance, runScene, step } from './run-scene.ts';

const gateway = useGateway();
const moment = expect.stringMatching(/^\d{4}-.*Z$/);
const state = { field: 'status', constraint: 'state' };

/** A run of a step, two in parallel, and one that needs both; nothing is done yet. */
async function startedRun(more: Record<string, object> = {}) {
  const scene = await runScene(gateway);
  const { role, define, start } = scene;
  const steps = [
    step('plan', role, more['plan']),
    step('build', role, { needs: ['plan'], ...more['build'] }),
    step('test', role, { needs: ['plan'], ...more['test'] }),
    step('ship', role, { needs: ['build', 'test'], ...more['ship'] }),
  ];
  return { ...scene, run: await start(await define(steps)) };
}

/** The call is refused, and nothing was written. */
async function refused(act: () => Promise<Json>, details: object = state): Promise<void> {
  const rows = await gateway.rows();
  expectError(await act(), 409, 'conflict', details);
  expect(await gateway.rows()).toEqual(rows);
}

describe('cancel', () => {
  it('ends the run with its open steps and their tasks; what is done stays', async () => {
    const { run, work, steer, statuses, read, agentId, key } = await startedRun();
    await work();
    const held = (await gateway.post(`/v1/agents/${agentId}/claims`, {}, { key })).body;
    const response = await steer(run, 'cancel');
    expect([response.status, response.body.status, response.body.finished_at]).toEqual([200, 'cancelled', moment]);
    expect(await statuses(run)).toEqual({
      plan: 'completed',
      build: 'cancelled',
      test: 'cancelled',
      ship: 'cancelled',
    });
    const { body } = await gateway.get(`/v1/tasks?workflow_run_id=${run.workflow_run_id}&sort=created_at`);
    expect(body.data.map(({ status }: Json) => status)).toEqual(['completed', 'cancelled', 'cancelled']);
    const late = { fencing_token: held.lease.fencing_token };
    const lost = await gateway.post(`/v1/leases/${held.lease.lease_id}/complete`, late, { key });
    expectError(lost, 409, 'conflict', { field: 'fencing_token', constraint: 'lease_lost' });
    await advance(gateway);
    expect(await read(run)).toEqual(response.body);
  });

  it('of a finished run is 409 and changes nothing', async () => {
    const { run, steer } = await startedRun();
    expect((await steer(run, 'cancel')).status).toBe(200);
    for (const verb of ['cancel', 'pause', 'resume', 'retry']) await refused(() => steer(run, verb));
    const { role, define, start, work, steer: steerIt } = await runScene(gateway);
    const done = await start(await define([step('a', role)]));
    await work();
    for (const verb of ['cancel', 'pause', 'resume', 'retry']) await refused(() => steerIt(done, verb));
  });
});

describe('pause', () => {
  it('starts no further step and still accepts results, until resume starts all that are ready', async () => {
    const { run, work, steer, statuses, hasWork, read } = await startedRun();
    const paused = await steer(run, 'pause');
    expect([paused.status, paused.body.status, paused.body.paused_at]).toEqual([200, 'started', moment]);
    await work({ what: 'kept' });
    expect(await statuses(run)).toEqual({ plan: 'completed', build: 'pending', test: 'pending', ship: 'pending' });
    expect([await hasWork(), (await read(run)).current_step]).toEqual([false, null]);
    const resumed = await steer(run, 'resume');
    expect([resumed.status, resumed.body.paused_at]).toEqual([200, null]);
    expect(await statuses(run)).toMatchObject({ build: 'in_progress', test: 'in_progress', ship: 'pending' });
  });

  it('twice, and resuming what is not paused, is 409', async () => {
    const { run, steer } = await startedRun();
    const details = { field: 'paused_at', constraint: 'state' };
    await refused(() => steer(run, 'resume'), details);
    await steer(run, 'pause');
    await refused(() => steer(run, 'pause'), details);
  });
});

describe('retry', () => {
  it('goes on from the steps that failed; what is done stays done', async () => {
    const { run, work, fail, steer, statuses, read, stepOf } = await startedRun();
    await work({ what: 'first' });
    await refused(() => steer(run, 'retry'));
    await fail();
    const failed = await read(run);
    expect(failed).toMatchObject({ status: 'failed', finished_at: moment, current_step: null });
    expect(Object.values(await statuses(run)).toSorted()).toEqual(['cancelled', 'cancelled', 'completed', 'failed']);
    const retried = await steer(run, 'retry');
    expect([retried.status, retried.body.status, retried.body.finished_at]).toEqual([200, 'started', null]);
    expect(await statuses(run)).toEqual({
      plan: 'completed',
      build: 'in_progress',
      test: 'in_progress',
      ship: 'pending',
    });
    expect((await stepOf(run, 'plan')).result).toEqual({ what: 'first' });
    for (let n = 0; n < 3; n += 1) await work();
    expect((await read(run)).status).toBe('completed');
  });

  it('of a step comes by itself while attempts remain, each a task of its own', async () => {
    const { run, fail, work, stepOf, read } = await startedRun({ plan: { retry: { max_attempts: 2 } } });
    await fail();
    const second = await stepOf(run, 'plan');
    expect(second).toMatchObject({ status: 'in_progress', attempt: 2 });
    expect(second.task_id).not.toBe((await gateway.get(taskPath(run))).body.data.at(0).id);
    await work();
    expect((await stepOf(run, 'plan')).status).toBe('completed');
    expect((await read(run)).status).toBe('started');
  });
});

const taskPath = (run: Json) => `/v1/tasks?workflow_run_id=${run.workflow_run_id}&sort=created_at`;

describe('approving a step', () => {
  const approved = { plan: { approval: { person: true } } };

  it('completes it with comment and scores, and the run goes on', async () => {
    const { run, work, decide, stepOf, statuses, agentId } = await startedRun(approved);
    await work({ what: 'a door' });
    const waiting = await stepOf(run, 'plan');
    expect(waiting).toMatchObject({ status: 'awaiting_approval', result: null, finished_at: null });
    const { body: task } = await gateway.get(`/v1/tasks/${waiting.task_id}`);
    expect(task).toMatchObject({ status: 'in_review', waiting_on: { kind: 'person' } });
    const response = await decide(run, 'plan', 'approve', { comment: 'Go.', scores: { code_quality: 90 } });
    expect(response.status).toBe(200);
    expect(response.body.steps[0]).toMatchObject({ status: 'completed', result: { what: 'a door' } });
    expect(await statuses(run)).toMatchObject({ build: 'in_progress', test: 'in_progress' });
    expect((await gateway.get(`/v1/tasks/${waiting.task_id}`)).body.status).toBe('completed');
    expect((await gateway.get(`/v1/agents/${agentId}`)).body.stats.code_quality_score).toBe(90);
    await refused(() => decide(run, 'plan', 'approve'));
    await refused(() => decide(run, 'plan', 'reject'));
  });

  it('that was not asked for is 409, also before its time', async () => {
    const { run, decide } = await startedRun(approved);
    for (const decision of ['approve', 'reject'])
      for (const key of ['plan', 'build']) await refused(() => decide(run, key, decision));
  });

  it('is approving its task: either way both are decided', async () => {
    const { run, work, stepOf } = await startedRun(approved);
    const task = await work();
    expect((await gateway.post(`/v1/tasks/${task.id}/approve`, { comment: 'Go.' })).status).toBe(200);
    await advance(gateway);
    expect((await stepOf(run, 'plan')).status).toBe('completed');
  });

  it('with a wrong body, of another run or of none is refused and changes nothing', async () => {
    const { run, work, steer, stepOf } = await startedRun(approved);
    const other = await startedRun(approved);
    await work();
    const { id } = await stepOf(run, 'plan');
    const rows = await gateway.rows();
    const bad = await steer(run, `steps/${id}/approve`, { scores: { code_quality: 101 } });
    expectError(bad, 400, 'invalid_input', { field: 'scores.code_quality', constraint: 'max' });
    expectError(await steer(other.run, `steps/${id}/approve`), 404, 'not_found');
    expectError(await steer(run, 'steps/stp_none/approve'), 404, 'not_found');
    expect(await gateway.rows()).toEqual(rows);
  });
});

describe('rejecting a step', () => {
  it('has the same task done again while attempts remain, then fails the run', async () => {
    const retry = { max_attempts: 2 };
    const { run, work, decide, stepOf, read, key, agentId } = await startedRun({
      plan: { approval: { person: true }, retry },
    });
    const task = await work();
    const rejected = await decide(run, 'plan', 'reject', { comment: 'Too short.' });
    expect([rejected.status, rejected.body.status]).toEqual([200, 'started']);
    expect(await stepOf(run, 'plan')).toMatchObject({ status: 'in_progress', attempt: 2, task_id: task.id });
    const again = (await gateway.post(`/v1/agents/${agentId}/claims`, {}, { key })).body;
    expect(again.directives).toMatchObject([{ kind: 'message', content: 'Too short.' }]);
    const { lease_id: leaseId, fencing_token: token } = again.lease;
    await gateway.post(`/v1/leases/${leaseId}/complete`, { fencing_token: token }, { key });
    await advance(gateway);
    expect((await decide(run, 'plan', 'reject', { comment: 'Still too short.' })).status).toBe(200);
    const failed = await read(run);
    expect([failed.status, failed.steps[0].status]).toEqual(['failed', 'failed']);
    expect((await gateway.get(`/v1/tasks/${task.id}`)).body.status).toBe('cancelled');
  });
});

describe('If-Match', () => {
  it('of another version is 412 for everything that changes a run, and changes nothing', async () => {
    const { run, steer, work, stepOf } = await startedRun({ plan: { approval: { person: true } } });
    const headers = { 'if-match': (await gateway.get(`/v1/runs/${run.workflow_run_id}`)).headers.get('etag') ?? '' };
    await work();
    const { id } = await stepOf(run, 'plan');
    const rows = await gateway.rows();
    for (const verb of ['cancel', 'pause', 'resume', 'retry', `steps/${id}/approve`, `steps/${id}/reject`])
      expectError(await steer(run, verb, {}, { headers }), 412, 'invalid_request', {
        field: 'If-Match',
        constraint: 'version',
      });
    expect(await gateway.rows()).toEqual(rows);
    const now = { 'if-match': (await gateway.get(`/v1/runs/${run.workflow_run_id}`)).headers.get('etag') ?? '' };
    expect((await steer(run, 'pause', {}, { headers: now })).status).toBe(200);
  });
});
