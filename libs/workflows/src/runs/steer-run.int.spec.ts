import { contextInTransaction } from '@eas/db';
import { completeTask, decideByHand, getTask } from '@eas/tasks';
import { useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { everythingOf, openScene, type Scene } from '../../test/scene.ts';
import { cancelRun } from './cancel-run.ts';
import { decideStep } from './decide-step.ts';
import { pauseRun } from './pause-run.ts';
import { resumeRun } from './resume-run.ts';
import { retryRun } from './retry-run.ts';

const test = useTestDatabase();
const chain = [{ id: 'a' }, { id: 'b', needs: ['a'] }];
const calls = { cancelRun, pauseRun, resumeRun, retryRun };
const state = { code: 'conflict', violations: [expect.objectContaining({ constraint: 'state' })] };

async function refuses(scene: Scene, call: () => Promise<unknown>, error: object): Promise<void> {
  const before = await everythingOf(scene);
  await expect(call()).rejects.toMatchObject(error);
  expect(await everythingOf(scene)).toEqual(before);
}

async function completed(scene: Scene): Promise<string> {
  const runId = await scene.start();
  for (const key of ['a', 'b']) {
    await scene.complete(runId, key);
    await scene.deliver();
  }
  return runId;
}

async function failed(scene: Scene): Promise<string> {
  const runId = await scene.start();
  await scene.fail(runId, 'a');
  await scene.deliver();
  return runId;
}

async function cancelled(scene: Scene): Promise<string> {
  const runId = await scene.start();
  await cancelRun(scene.ctx, { runId });
  return runId;
}

describe('a command that the state of the run does not allow', () => {
  it.each([
    ['cancelRun', completed],
    ['cancelRun', failed],
    ['cancelRun', cancelled],
    ['pauseRun', completed],
    ['pauseRun', cancelled],
    ['resumeRun', completed],
    ['resumeRun', (scene: Scene) => scene.start()],
    ['retryRun', completed],
    ['retryRun', cancelled],
    ['retryRun', (scene: Scene) => scene.start()],
  ] as const)('%s of one that is %p is 409 state and changes nothing', async (call, lead) => {
    const scene = await openScene(test, chain);
    const runId = await lead(scene);
    await refuses(scene, () => calls[call](scene.ctx, { runId }), state);
  });

  it('pauseRun of one that is paused already is 409 state and changes nothing', async () => {
    const scene = await openScene(test, chain);
    const runId = await scene.start();
    await pauseRun(scene.ctx, { runId });
    await refuses(scene, () => pauseRun(scene.ctx, { runId }), state);
  });

  it.each(Object.entries(calls))('%s of an unknown run is 404, with an old version 412', async (_, call) => {
    const scene = await openScene(test, chain);
    const runId = await scene.start();
    await refuses(scene, () => call(scene.ctx, { runId: 'run_unknown' }), { code: 'not_found' });
    await refuses(scene, () => call(scene.ctx, { runId, ifMatch: [77] }), { status: 412 });
    const stranger = { ...scene, ctx: test.context({ tenantId: await test.createTenant() }) };
    await refuses(scene, () => call(stranger.ctx, { runId }), { code: 'not_found' });
  });
});

describe('a run that is cancelled', () => {
  it('has its open steps cancelled with their tasks, and their agents lose their leases', async () => {
    const scene = await openScene(test, chain);
    const runId = await scene.start();
    const call = await scene.leaseOf(runId, 'a');
    const { body } = await cancelRun(scene.ctx, { runId });
    expect(body).toMatchObject({ status: 'cancelled', steps: [{ status: 'cancelled' }, { status: 'cancelled' }] });
    await expect(completeTask(scene.ctx, call)).rejects.toMatchObject({ code: 'conflict' });
    expect((await everythingOf(scene)).tasks).toMatchObject([{ status: 'cancelled' }]);
  });

  it('keeps the result of a task that is completed at the same time', async () => {
    const scene = await openScene(test, chain);
    const runId = await scene.start();
    const call = await scene.leaseOf(runId, 'a');
    let cancelling: Promise<unknown> | undefined;
    await scene.ctx.inTransaction(async (tx) => {
      await completeTask(contextInTransaction(scene.ctx, tx), call);
      cancelling = cancelRun(scene.ctx, { runId });
      await someoneWaits(scene);
    });
    await cancelling;
    const run = await scene.read(runId);
    expect(run).toMatchObject({ status: 'cancelled', steps: [{ status: 'completed' }, { status: 'cancelled' }] });
  });
});

/** Resolves when a statement waits for a lock. */
async function someoneWaits({ ctx }: Scene): Promise<void> {
  const sql = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while ((await ctx.db.query(sql)).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('a run that is paused', () => {
  it('applies results and starts its next step when it is resumed', async () => {
    const scene = await openScene(test, chain);
    const runId = await scene.start();
    expect((await pauseRun(scene.ctx, { runId })).body.paused_at).not.toBeNull();
    await scene.complete(runId, 'a');
    await scene.deliver();
    expect((await scene.read(runId)).steps).toMatchObject([{ status: 'completed' }, { status: 'pending' }]);
    const { body } = await resumeRun(scene.ctx, { runId });
    expect(body).toMatchObject({ paused_at: null, steps: [{ status: 'completed' }, { status: 'in_progress' }] });
  });
});

describe('a failed run that is retried', () => {
  it('continues from where it failed with a new task', async () => {
    const scene = await openScene(test, chain);
    const runId = await failed(scene);
    const { body } = await retryRun(scene.ctx, { runId });
    expect(body).toMatchObject({ status: 'started', finished_at: null, steps: [{ attempt: 1, reason: null }, {}] });
    for (const key of ['a', 'b']) {
      await scene.complete(runId, key);
      await scene.deliver();
    }
    expect((await scene.read(runId)).status).toBe('completed');
    expect((await everythingOf(scene)).tasks).toHaveLength(3);
  });
});

describe('a step under approval', () => {
  const steps = [
    { id: 'a', approval: { person: true } },
    { id: 'b', needs: ['a'] },
  ];

  async function inReview() {
    const scene = await openScene(test, steps);
    const runId = await scene.start();
    await scene.complete(runId, 'a');
    const { id: stepId } = scene.stepOf(await scene.read(runId), 'a');
    return { scene, runId, stepId };
  }

  it('is approved by its task, also before the run has received that, and the next one starts at once', async () => {
    const { scene, runId, stepId } = await inReview();
    const decision = { decision: 'approve' as const, comment: 'good', scores: { code_quality: 90 } };
    const { body } = await decideStep(scene.ctx, { runId, stepId, ...decision });
    expect(body.steps).toMatchObject([{ status: 'completed' }, { status: 'in_progress' }]);
    expect(body.history).toContainEqual(
      expect.objectContaining({ type: 'step_approved', actor: scene.ctx.actor.id, comment: 'good' }),
    );
    expect((await everythingOf(scene)).tasks[0]).toMatchObject({ status: 'completed', code_quality: 90 });
    await refuses(scene, () => decideStep(scene.ctx, { runId, stepId, ...decision }), state);
  });

  it('is done again when it is rejected while attempts remain, and has failed with the last', async () => {
    const { scene, runId, stepId } = await inReview();
    for (const attempt of [2, 3]) {
      const { body } = await decideStep(scene.ctx, { runId, stepId, decision: 'reject' });
      expect(scene.stepOf(body, 'a')).toMatchObject({ status: 'in_progress', attempt });
      await scene.complete(runId, 'a');
    }
    const { body } = await decideStep(scene.ctx, { runId, stepId, decision: 'reject' });
    expect(body).toMatchObject({ status: 'failed', steps: [{ status: 'failed' }, { status: 'cancelled' }] });
    expect((await everythingOf(scene)).tasks).toMatchObject([{ status: 'cancelled' }]);
  });

  it('is not decided by a caller who was shown an earlier version of the work', async () => {
    const { scene, runId, stepId } = await inReview();
    const { task_id: taskId = null } = scene.stepOf(await scene.read(runId), 'a');
    const { submission } = (await getTask(scene.ctx, taskId ?? '')).body;
    await decideByHand(scene.ctx, { taskId: taskId ?? '', decision: 'reject' });
    await scene.complete(runId, 'a');
    for (const decision of ['approve', 'reject'] as const)
      await refuses(scene, () => decideStep(scene.ctx, { runId, stepId, submission, decision }), {
        code: 'conflict',
        violations: [{ field: 'submission', constraint: 'version' }],
      });
  });

  it('is neither approved nor rejected while it is worked on: 409 state; an unknown step is 404', async () => {
    const scene = await openScene(test, steps);
    const runId = await scene.start();
    const { id: stepId } = scene.stepOf(await scene.read(runId), 'a');
    for (const decision of ['approve', 'reject'] as const) {
      await refuses(scene, () => decideStep(scene.ctx, { runId, stepId, decision }), state);
      await refuses(scene, () => decideStep(scene.ctx, { runId, stepId, decision, ifMatch: [9] }), { status: 412 });
      const unknown = { stepId: 'stp_unknown', decision };
      await refuses(scene, () => decideStep(scene.ctx, { runId, ...unknown }), { code: 'not_found' });
      await refuses(scene, () => decideStep(scene.ctx, { runId: 'run_x', ...unknown }), { code: 'not_found' });
    }
  });

  it('is decided once when one caller approves and another rejects at the same time', async () => {
    const { scene, runId, stepId } = await inReview();
    const outcomes = await Promise.allSettled(
      (['approve', 'reject'] as const).map((decision) => decideStep(scene.ctx, { runId, stepId, decision })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: state });
  });
});
