import { randomBytes } from 'node:crypto';
import { runsOf, useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyHistory } from '../../test/any-history.ts';
import { openScene } from '../../test/scene.ts';
import { advanceAtOnce } from './advance-on-events.ts';

const test = useTestDatabase();
let failure: Error | undefined;

beforeAll(() => {
  test.database.consumeEarly('run.advance', async (tx, events) => {
    const done = await advanceAtOnce(test.context({ tenantId: tx.tenantId }), tx, events);
    if (failure) throw failure;
    return done;
  });
});

const steps = [{ id: 'a' }, { id: 'b', needs: ['a'] }];
const shown = (run: { status: string; steps: { key: string; status: string; task_id: string | null }[] }) => [
  run.status,
  ...run.steps.map(({ key, status, task_id: task }) => `${key} ${status}${task === null ? '' : ' with a task'}`),
];

describe('a call that completes the task of a step', () => {
  it('advances the run in its transaction, and leaves nothing to a job', async () => {
    const scene = await openScene(test, steps);
    const runId = await scene.start();
    await scene.complete(runId, 'a');
    expect(shown(await scene.read(runId))).toEqual(['started', 'a completed with a task', 'b in_progress with a task']);
    expect(await scene.readPending()).toEqual([]);
    await scene.complete(runId, 'b');
    expect(shown(await scene.read(runId))).toEqual(['completed', 'a completed with a task', 'b completed with a task']);
  });

  it('leaves a run that another transaction has locked to the job, without waiting', async () => {
    const scene = await openScene(test, steps);
    const runId = await scene.start();
    await scene.ctx.inTransaction(async (tx) => {
      await tx.db.query('SELECT FROM workflow_runs WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [tx.tenantId, runId]);
      await scene.complete(runId, 'a');
      expect(await scene.readPending()).toMatchObject([{ runId }]);
    });
    await scene.deliver();
    expect(shown(await scene.read(runId))[2]).toBe('b in_progress with a task');
  });

  it('leaves a run with long results to the job', async () => {
    const scene = await openScene(test, [...steps, { id: 'c', needs: ['b'] }]);
    const runId = await scene.start();
    for (const key of ['a', 'b']) await scene.complete(runId, key, { noise: randomBytes(30_000).toString('base64') });
    expect(await scene.readPending()).toEqual([]);
    await scene.complete(runId, 'c');
    expect(await scene.readPending()).toMatchObject([{ runId }]);
    await scene.deliver();
    expect((await scene.read(runId)).status).toBe('completed');
  });

  it('leaves a run whose other tasks have to be ended to the job', async () => {
    const scene = await openScene(test, [{ id: 'start' }, ...['a', 'b'].map((id) => ({ id, needs: ['start'] }))]);
    const runId = await scene.start();
    await scene.complete(runId, 'start');
    await scene.fail(runId, 'a');
    expect(await scene.readPending()).toMatchObject([{ runId }]);
    await scene.deliver();
    expect(shown(await scene.read(runId))).toEqual([
      'failed',
      'start completed with a task',
      'a failed with a task',
      'b cancelled with a task',
    ]);
  });

  it('succeeds when the run cannot be advanced, which is left to the job', async () => {
    const scene = await openScene(test, steps);
    const runId = await scene.start();
    failure = new Error('a defect');
    await scene.complete(runId, 'a').finally(() => (failure = undefined));
    expect(shown(await scene.read(runId))).toEqual(['started', 'a in_progress with a task', 'b pending']);
    expect(await scene.readPending()).toMatchObject([{ runId }]);
    await scene.deliver();
    expect(shown(await scene.read(runId))[2]).toBe('b in_progress with a task');
  });

  it('advances runs once each where several complete together', async () => {
    const scene = await openScene(test, steps);
    const runIds = await Promise.all(Array.from({ length: 20 }, () => scene.start()));
    const calls = await Promise.all(runIds.map((runId) => scene.leaseOf(runId, 'a')));
    await Promise.all(calls.map((call) => scene.completeLease(call)));
    await scene.deliver();
    const runs = await Promise.all(runIds.map((runId) => scene.read(runId)));
    expect(new Set(runs.map((run) => shown(run)[2]))).toEqual(new Set(['b in_progress with a task']));
    const tasks = await scene.ctx.db.query('SELECT FROM tasks WHERE tenant_id = $1', [scene.ctx.tenantId]);
    expect(tasks).toHaveLength(40);
  });
});

describe('runs of any workflow that advance with the calls on their tasks', () => {
  it('end in the same state as those that jobs advance', async () => {
    await fc.assert(anyHistory(test, { isAtOnce: true }), { numRuns: runsOf(8, 30), endOnFailure: true });
  });
});
