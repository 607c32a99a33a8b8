import { sweepExpiredLeases } from '@eas/tasks';
import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';
import { openScene } from './scene.ts';

const gateway = useGateway();
const lost = { field: 'fencing_token', constraint: 'lease_lost' };
const late = { summary: 'Done after all.', result: { sha: 'abc' }, artifacts: [{ kind: 'commit', sha: 'abc' }] };

/** A task whose lease has run out. */
async function begin(more: object = {}) {
  const scene = await openScene(gateway);
  const { task, lease } = await scene.begin(more);
  await runOut(lease);
  const other: Json = await gateway.make('/v1/agents', { name: 'other', role: scene.role });
  const complete = () => scene.call(lease, 'complete', late);
  return { ...scene, task, lease, other, complete };
}
const runOut = (lease: Json) =>
  gateway.test.database.db.query(`UPDATE leases SET expires_at = app_now() - interval '1 s' WHERE id = $1`, [
    lease.lease_id,
  ]);
const sweep = () => sweepExpiredLeases(gateway.test.database);
const claimFor = async (agent: Json): Promise<Json> =>
  (await gateway.post(`/v1/agents/${agent.id}/claims`, {})).body.lease;

async function expectLost({ complete, task, readTask, readTimeline }: Awaited<ReturnType<typeof begin>>) {
  const before = await readTask(task.id);
  expectError(await complete(), 409, 'conflict', lost);
  expect((await readTask(task.id)).status).toBe(before.status);
  expect(await readTimeline(task.id, 'late_result')).toMatchObject([{ summary: late.summary }]);
}

describe('a task whose lease ran out', () => {
  it('is completed by its agent as long as no other has claimed it', async () => {
    const { id, task, lease, complete, call, readTask, readAgent, readTimeline } = await begin();
    await sweep();
    expect(await readTask(task.id)).toMatchObject({ status: 'open', assigned_agent: null });
    const done = await complete();
    expect([done.status, done.body]).toEqual([200, { expires_at: null, directives: [] }]);
    expect(await readTask(task.id)).toMatchObject({
      status: 'completed',
      assigned_agent: id,
      summary: late.summary,
      result: late.result,
      artifacts: [{ kind: 'commit', sha: 'abc' }],
    });
    expect(await readAgent()).toMatchObject({ status: 'idle', stats: { tasks_completed: 1 } });
    expect((await readTimeline(task.id, 'status_change')).map(({ to }) => to)).toEqual([
      'in_progress',
      'open',
      'in_progress',
      'completed',
    ]);
    expect((await complete()).status).toBe(200);
    const after = await call(lease, 'heartbeat');
    expectError(after, 409, 'conflict', lost);
    expect(after.body.error.directives).toEqual([]);
  });

  it('is completed in the same way before the sweep has noticed it', async () => {
    const { task, complete, readTask, readAgent, readTimeline } = await begin();
    expect((await complete()).status).toBe(200);
    expect(await sweep()).toBe(0);
    expect((await readTask(task.id)).status).toBe('completed');
    expect((await readAgent()).status).toBe('idle');
    expect((await readTimeline(task.id, 'status_change')).map(({ to }) => to)).toEqual(['in_progress', 'completed']);
  });

  it('is completed when its agent works on another one by now', async () => {
    const { addTask, claim, complete, readAgent } = await begin();
    await sweep();
    const younger = await addTask();
    expect((await claim()).body.task.id).toBe(younger.id);
    expect((await complete()).status).toBe(200);
    expect(await readAgent()).toMatchObject({ status: 'busy', current_tasks: [{ id: younger.id }] });
  });

  it('is not completed by it when another agent has claimed it, or had', async () => {
    const scene = await begin();
    await sweep();
    const lease = await claimFor(scene.other);
    await expectLost(scene);
    const token = { fencing_token: lease.fencing_token };
    await gateway.post(`/v1/leases/${lease.lease_id}/release`, { ...token, not_before_seconds: 0 });
    await expectLost(scene);
  });

  it('is not completed by it when a person gave it to another agent, cancelled it, or the third lease was lost', async () => {
    const given = await begin();
    await sweep();
    const change = JSON.stringify({ assigned_agent: given.other.id });
    expect((await gateway.send('PATCH', `/v1/tasks/${given.task.id}`, change)).status).toBe(200);
    await expectLost(given);
    const cancelled = await begin();
    await sweep();
    await gateway.send('DELETE', `/v1/tasks/${cancelled.task.id}`);
    await expectLost(cancelled);
    const failed = await begin();
    const sql = 'UPDATE tasks SET lost_leases = 2 WHERE id = $1';
    await gateway.test.database.db.query(sql, [failed.task.id]);
    await sweep();
    expect((await failed.readTask(failed.task.id)).status).toBe('failed');
    await expectLost(failed);
  });

  it('stays open when the late result does not meet its contract', async () => {
    const { task, complete, readTask, readAgent } = await begin({ contract: { artifacts: ['pull_request'] } });
    await sweep();
    expectError(await complete(), 409, 'conflict', {
      field: 'artifacts.pull_request',
      constraint: 'contract',
    });
    expect(await readTask(task.id)).toMatchObject({ status: 'open', artifacts: [] });
    expect((await readAgent()).status).toBe('idle');
  });

  it('is not completed under a lease that its agent gave back', async () => {
    const { task, lease, call, readTask, readTimeline } = await openScene(gateway).then(async (scene) => ({
      ...scene,
      ...(await scene.begin()),
    }));
    await call(lease, 'release', { not_before_seconds: 0 });
    expectError(await call(lease, 'complete', late), 409, 'conflict', lost);
    expect((await readTask(task.id)).status).toBe('open');
    expect(await readTimeline(task.id, 'late_result')).toEqual([]);
  });

  it('refuses any other call under the old lease', async () => {
    const { lease, call } = await begin();
    await sweep();
    for (const [verb, body] of [
      ['heartbeat', {}],
      ['progress', { percent_complete: 5 }],
      ['fail', { reason: 'No.' }],
    ] as const)
      expectError(await call(lease, verb, body), 409, 'conflict', lost);
  });
});
