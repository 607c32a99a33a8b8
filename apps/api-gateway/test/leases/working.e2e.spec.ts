import { fireTaskAlarms, sweepExpiredLeases } from '@eas/tasks';
import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';
import { openScene } from './scene.ts';

const gateway = useGateway();
const lost = { field: 'fencing_token', constraint: 'lease_lost' };
const ended = { expires_at: null, directives: [] };
const emptyContext = {
  attempt: 1,
  failures: 0,
  lost_leases: 0,
  checkpoint: null,
  handoff: null,
  artifacts: [],
  answers: [],
  contract: null,
  parent: null,
  project: null,
};

async function lose(lease: Json): Promise<void> {
  const sql = "UPDATE leases SET expires_at = app_now() - interval '1 s' WHERE id = $1";
  await gateway.test.database.db.query(sql, [lease.lease_id]);
  await sweepExpiredLeases(gateway.test.database);
}

describe('what an attempt leaves for the next one', () => {
  it('is nothing at first', async () => {
    const { begin } = await openScene(gateway);
    expect((await begin()).body.context).toEqual(emptyContext);
  });

  it('is its checkpoint, its artifacts and how it ended', async () => {
    const { begin, call, claim, readTimeline } = await openScene(gateway);
    const { task, lease } = await begin();
    expect((await call(lease, 'checkpoint', { data: { branch: 'fix' } })).status).toBe(200);
    const made = { kind: 'pull_request', title: 'Fix', url: 'https://example.com/1', sha: 'abc', data: { n: 1 } };
    const { body } = await call(lease, 'artifacts', made);
    expect(body).toMatchObject({ artifact: { ...made, task_id: task.id }, expires_at: expect.any(String) });
    expect(await readTimeline(task.id, 'artifact')).toMatchObject([
      { artifact_id: body.artifact.id, kind: 'pull_request', title: 'Fix', url: made.url },
    ]);
    await call(lease, 'fail', { reason: 'The disk is full.', retry_after_seconds: 0 });
    const next = (await claim()).body;
    expect(next.lease.fencing_token).toBeGreaterThan(lease.fencing_token);
    expect(next.context).toEqual({
      ...emptyContext,
      attempt: 2,
      failures: 1,
      checkpoint: { branch: 'fix' },
      artifacts: [{ kind: 'pull_request', title: 'Fix', url: made.url }],
    });
  });

  it('is artifacts that came with complete, too', async () => {
    const { begin, call, readTimeline } = await openScene(gateway);
    const { task, lease } = await begin();
    const artifacts = [
      { kind: 'commit', sha: 'abc' },
      { kind: 'file', title: 'a.txt' },
    ];
    expect((await call(lease, 'complete', { artifacts })).body).toEqual(ended);
    expect((await readTimeline(task.id, 'artifact')).map(({ kind }) => kind)).toEqual(['commit', 'file']);
  });
});

describe('milestones', () => {
  it('are at most 100 of a task, over all reports', async () => {
    const { begin, call, readTask } = await openScene(gateway);
    const { task, lease } = await begin();
    const named = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => ({ name: `m${from + n}`, completed: false }));
    expect((await call(lease, 'progress', { milestones: named(0, 100) })).status).toBe(200);
    const response = await call(lease, 'progress', { milestones: named(99, 2) });
    expectError(response, 400, 'invalid_input', { field: 'milestones', constraint: 'max_length' });
    expect((await readTask(task.id)).progress.milestones).toHaveLength(100);
  });
});

describe('a reported failure', () => {
  it('opens the task later, and fails it the third time', async () => {
    const { begin, call, claim, readTask } = await openScene(gateway);
    const { task, lease } = await begin();
    expect((await call(lease, 'fail', { reason: 'No.' })).body).toEqual(ended);
    expect(await readTask(task.id)).toMatchObject({ status: 'open', waiting_on: { kind: 'timer' } });
    expect((await claim()).status).toBe(204);
    await gateway.test.shiftClock(10);
    await call((await claim()).body.lease, 'fail', { reason: 'No.', retry_after_seconds: 0 });
    await call((await claim()).body.lease, 'fail', { reason: 'Still no.' });
    expect((await readTask(task.id)).status).toBe('failed');
    await gateway.post(`/v1/tasks/${task.id}/retry`, {});
    expect((await claim()).body.context).toMatchObject({ failures: 0, checkpoint: null });
  });

  it('that is not to be tried again fails the task at once', async () => {
    const { begin, call, readTask, readTimeline } = await openScene(gateway);
    const { task, lease } = await begin();
    await call(lease, 'fail', { reason: 'No such repository.', retryable: false });
    expect((await readTask(task.id)).status).toBe('failed');
    expect((await readTimeline(task.id, 'status_change')).at(-1)).toMatchObject({
      from: 'in_progress',
      to: 'failed',
      reason: 'No such repository.',
    });
  });
});

describe('a released task', () => {
  it('is open again, counts no failure and may rest', async () => {
    const { begin, call, claim, readAgent } = await openScene(gateway);
    const { task, lease } = await begin();
    expect((await call(lease, 'release', { reason: 'Not now.', not_before_seconds: 60 })).body).toEqual(ended);
    expect((await readAgent()).status).toBe('idle');
    const waiting = claim({ wait_seconds: 20 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await gateway.test.shiftClock(60);
    await fireTaskAlarms(gateway.test.database);
    const { body } = await waiting;
    expect([body.task.id, body.context.failures, body.context.attempt]).toEqual([task.id, 0, 2]);
  });
});

describe('a task that is handed off', () => {
  it('to a role is claimed there, with what its agent said', async () => {
    const [one, other] = [await openScene(gateway), await openScene(gateway)];
    const { task, lease } = await one.begin();
    const summary = 'It needs a test.';
    expect((await one.call(lease, 'handoff', { to: { role: other.role }, summary })).body).toEqual(ended);
    expect((await one.claim()).status).toBe(204);
    const { body } = await other.claim();
    expect(body.task).toMatchObject({ id: task.id, assigned_role: other.role });
    expect(body.context).toMatchObject({ handoff: { from: one.id, summary }, failures: 0 });
    expect(await one.readTimeline(task.id, 'handoff')).toMatchObject([{ to_role: other.role, summary }]);
  });

  it('to an agent is that agent’s alone', async () => {
    const [one, other] = [await openScene(gateway), await openScene(gateway)];
    const { task, lease } = await one.begin();
    await one.call(lease, 'handoff', { to: { agent_id: other.id }, summary: 's' });
    expect((await one.claim()).status).toBe(204);
    expect((await other.claim()).body.task.id).toBe(task.id);
  });
});

describe('directives', () => {
  it('are returned with every response until they are acknowledged, also to later agents', async () => {
    const { addTask, claim, call } = await openScene(gateway);
    const task = await addTask();
    const { status, body: entry } = await gateway.post(`/v1/tasks/${task.id}/messages`, { content: 'Mind the API.' });
    expect([status, entry]).toMatchObject([201, { type: 'message', content: 'Mind the API.' }]);
    const { lease, directives } = (await claim()).body;
    expect(directives).toMatchObject([
      { kind: 'message', content: 'Mind the API.', id: expect.stringMatching(/^dir_/) },
    ]);
    expect((await call(lease, 'heartbeat')).body.directives).toEqual(directives);
    await gateway.post(`/v1/tasks/${task.id}/messages`, { content: 'And the tests.' });
    const { body } = await call(lease, 'acknowledge', { directive_ids: [directives[0].id] });
    expect(body.directives).toMatchObject([{ content: 'And the tests.' }]);
    expect((await call(lease, 'acknowledge', { directive_ids: [directives[0].id] })).status).toBe(200);
    await call(lease, 'release', { not_before_seconds: 0 });
    expect((await claim()).body.directives).toMatchObject([{ content: 'And the tests.' }]);
  });

  it('report a cancelled task, and a stale token acknowledges that', async () => {
    const { begin, call } = await openScene(gateway);
    const { task, lease } = await begin();
    await gateway.send('DELETE', `/v1/tasks/${task.id}`);
    const response = await call(lease, 'heartbeat');
    expectError(response, 409, 'conflict', lost);
    const [directive] = response.body.error.directives;
    expect(directive).toMatchObject({ kind: 'cancel', reason: 'the task was cancelled' });
    expect((await call(lease, 'acknowledge', { directive_ids: [directive.id] })).body).toEqual(ended);
    expect((await call(lease, 'heartbeat')).body.error.directives).toEqual([]);
  });

  it('to any agent that works on the task are left to the next one by a lease that is over', async () => {
    const { begin, claim, call } = await openScene(gateway);
    const { task, lease } = await begin();
    await gateway.post(`/v1/tasks/${task.id}/messages`, { content: 'Mind the API.' });
    const [message] = (await call(lease, 'heartbeat')).body.directives;
    await call(lease, 'release', { not_before_seconds: 0 });
    expectError(await call(lease, 'acknowledge', { directive_ids: [message.id] }), 409, 'conflict', lost);
    expect((await claim()).body.directives).toEqual([message]);
  });

  it('cannot be sent to a final task', async () => {
    const { begin, call } = await openScene(gateway);
    const { task, lease } = await begin();
    await call(lease, 'complete', {});
    const response = await gateway.post(`/v1/tasks/${task.id}/messages`, { content: 'Too late.' });
    expectError(response, 409, 'conflict', { field: 'status', constraint: 'state' });
  });
});

describe('a lost lease', () => {
  it('lets others have the task first, is reported to its agent, and what comes late is kept once', async () => {
    const one = await openScene(gateway);
    const other = await gateway.make('/v1/agents', { name: 'other', role: one.role });
    const { task, lease } = await one.begin();
    await lose(lease);
    const younger = await one.addTask();
    expect((await one.claim()).body.task.id).toBe(younger.id);
    const { body: claimed } = await gateway.post(`/v1/agents/${other.id}/claims`, {});
    expect([claimed.task.id, claimed.context.lost_leases, claimed.context.failures]).toEqual([task.id, 1, 0]);
    const late = { summary: 'Done after all.', result: { sha: 'abc' } };
    for (let n = 0; n < 2; n += 1) {
      const { body } = await one.call(lease, 'complete', late);
      expect(body.error.details).toEqual(lost);
      expect(body.error.directives).toMatchObject([
        { kind: 'lease_lost', reason: 'the lease was not renewed in time' },
      ]);
    }
    expect(await one.readTimeline(task.id, 'late_result')).toMatchObject([
      { ...late, call: 'complete', lease_id: lease.lease_id, actor: one.id },
    ]);
  });

  it('may be claimed again by the agent that lost it if there is no other task', async () => {
    const { begin, claim } = await openScene(gateway);
    const { task, lease } = await begin();
    await lose(lease);
    expect((await claim()).body.task.id).toBe(task.id);
  });
});

describe('a claim with an Idempotency-Key', () => {
  it('gives the same lease as long as it lives, then another', async () => {
    const { addTask, claim, call } = await openScene(gateway);
    await Promise.all([addTask(), addTask()]);
    const headers = { 'idempotency-key': 'claim-1' };
    const responses = await Promise.all([claim({}, headers), claim({}, headers), claim({}, headers)]);
    expect(new Set(responses.map(({ body }) => body.lease.lease_id)).size).toBe(1);
    expect(responses.map(({ headers: received }) => received.get('idempotent-replayed')).toSorted()).toEqual([
      null,
      'true',
      'true',
    ]);
    await call(responses[0]?.body.lease, 'complete', {});
    const next = (await claim({}, headers)).body.lease;
    expect(next.lease_id).not.toBe(responses[0]?.body.lease.lease_id);
    await lose(next);
    expect((await claim({}, headers)).body.lease.lease_id).not.toBe(next.lease_id);
  });

  it('refuses a key of more than 255 characters', async () => {
    const { claim } = await openScene(gateway);
    const { status, body } = await claim({}, { 'idempotency-key': 'k'.repeat(256) });
    expect([status, body.error.details.field]).toEqual([400, 'Idempotency-Key']);
  });
});
