import { useTestDatabase } from '@eas/testing';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { everythingOf, openScene, type Scene } from '../../test/scene.ts';
import { advanceRuns } from './advance-runs.ts';

const test = useTestDatabase();
const chain = [{ id: 'a' }, { id: 'b', needs: ['a'] }];
// Steps come due only when the test moves the time.
beforeAll(() => test.stopClock());
afterEach(() => test.shiftClock(0));

const eventsOf = async ({ ctx }: Scene) =>
  ctx.db.query<{ type: string; data: Record<string, unknown> }>(
    `SELECT event_type AS type, data FROM events WHERE tenant_id = $1 AND event_type LIKE 'workflow.%' ORDER BY event_id`,
    [ctx.tenantId],
  );

describe('a run', () => {
  it('goes from step to step as their tasks are completed, and is completed with the last', async () => {
    const scene = await openScene(test, chain);
    const runId = await scene.start();
    expect(await scene.read(runId)).toMatchObject({ status: 'started', current_step: { status: 'in_progress' } });
    await scene.complete(runId, 'a', { x: 1 });
    await scene.deliver();
    const between = await scene.read(runId);
    expect(between.steps).toMatchObject([{ status: 'completed', result: { x: 1 } }, { status: 'in_progress' }]);
    await scene.complete(runId, 'b');
    await scene.deliver();
    const after = await scene.read(runId);
    expect(after).toMatchObject({ status: 'completed', current_step: null, next_steps: [] });
    expect(after.estimated_completion).toBe(after.finished_at);
    expect(after.history.map(({ type }) => type)).toEqual([
      'started',
      'step_started',
      'step_completed',
      'step_started',
      'step_completed',
      'completed',
    ]);
  });

  it('publishes its start, each completed step and its end by events, and names tasks and agents', async () => {
    const scene = await openScene(test, chain);
    const runId = await scene.start();
    await scene.complete(runId, 'a');
    await scene.deliver();
    await scene.complete(runId, 'b');
    await scene.deliver();
    const of = { workflow_run_id: runId, workflow_id: scene.workflow.id, name: 'r' };
    const [a, b] = (await scene.read(runId)).steps;
    const times = { started_at: expect.any(String), completion_time: expect.any(String) };
    const done = { role: 'rd', completed_by: scene.agent.id, attempt: 1, ...times };
    expect(await eventsOf(scene)).toEqual([
      { type: 'workflow.started', data: { ...of, started_by: scene.ctx.actor.id } },
      {
        type: 'workflow.step_completed',
        data: { ...of, ...done, step_id: a?.id, step_key: 'a', step_name: 'a', task_id: a?.task_id },
      },
      {
        type: 'workflow.step_completed',
        data: { ...of, ...done, step_id: b?.id, step_key: 'b', step_name: 'b', task_id: b?.task_id },
      },
      { type: 'workflow.completed', data: { ...of, completion_time: expect.any(String) } },
    ]);
  });

  it('is not advanced by repeated, late or empty jobs', async () => {
    const scene = await openScene(test, chain);
    const runId = await scene.start();
    await scene.complete(runId, 'a');
    const ids = (await scene.readPending()).map(({ eventId }) => eventId);
    await scene.consume(ids);
    const before = await everythingOf(scene);
    await scene.consume(ids);
    await advanceRuns(scene.system, [runId, runId, 'run_unknown']);
    await scene.sweep();
    expect(await everythingOf(scene)).toEqual(before);
  });

  it('is advanced once by orchestrators that receive its event at the same time', async () => {
    const scene = await openScene(test, [...chain, { id: 'c', needs: ['a'] }]);
    const runIds = await Promise.all([scene.start(), scene.start(), scene.start()]);
    for (const runId of runIds) await scene.complete(runId, 'a');
    const advances = [runIds, runIds.toReversed(), runIds].map((ids) => advanceRuns(scene.system, ids));
    await Promise.all([...advances, scene.deliver()]);
    expect((await everythingOf(scene)).tasks).toHaveLength(9);
  });

  it('of another tenant is not advanced', async () => {
    const scene = await openScene(test, chain);
    const runId = await scene.start();
    await scene.complete(runId, 'a');
    await advanceRuns(test.context({ tenantId: await test.createTenant() }), [runId]);
    expect(scene.stepOf(await scene.read(runId), 'a').status).toBe('in_progress');
  });

  it('is expected to end according to past runs, by the median of each step', async () => {
    const scene = await openScene(test, [
      { id: 'a', duration: 100 },
      { ...chain[1], id: 'b', duration: 100 },
    ]);
    const insert = (key: string, ms: number) =>
      scene.ctx.db.query(
        `INSERT INTO step_durations (tenant_id, workflow_id, step_key, finished_at, run_id, duration_ms)
         VALUES ($1, $2, $3, app_now(), 'run_' || $4::int, $4)`,
        [scene.ctx.tenantId, scene.workflow.id, key, ms],
      );
    for (const ms of [1_000, 2_000, 60_000]) await insert('a', ms);
    const run = await scene.read(await scene.start());
    expect(Date.parse(run.estimated_completion) - Date.parse(run.started_at)).toBe(102_000);
  });
});

describe('what is due', () => {
  it('an attempt that times out is ended with its task, and the next one begins when its backoff is over', async () => {
    const scene = await openScene(test, [{ id: 'a', timeout: 60, retry: { max_attempts: 2, backoff: 120 } }]);
    const runId = await scene.start();
    await test.shiftClock(50);
    await scene.sweep();
    const first = scene.stepOf(await scene.read(runId), 'a');
    expect(first).toMatchObject({ status: 'in_progress', attempt: 1 });
    await test.shiftClock(70);
    await scene.sweep();
    expect(scene.stepOf(await scene.read(runId), 'a')).toMatchObject({
      status: 'pending',
      attempt: 1,
      reason: 'the attempt took longer than 60 s',
    });
    await test.shiftClock(180);
    await scene.sweep();
    expect(scene.stepOf(await scene.read(runId), 'a').status).toBe('pending');
    await test.shiftClock(200);
    await scene.sweep();
    const second = scene.stepOf(await scene.read(runId), 'a');
    expect(second).toMatchObject({ status: 'in_progress', attempt: 2 });
    const { tasks } = await everythingOf(scene);
    expect(tasks.map(({ id, status }) => [id, status])).toEqual([
      [first.task_id, 'failed'],
      [second.task_id, 'created'],
    ]);
  });

  it('is handled for runs of all tenants, many in one transaction, and one that cannot advance holds up no other', async () => {
    const scenes = [
      await openScene(test, [{ id: 'a', timeout: 60 }]),
      await openScene(test, [{ id: 'a', timeout: 60 }]),
    ];
    const runIds: string[] = [];
    for (const scene of scenes) for (let count = 0; count < 60; count += 1) runIds.push(await scene.start());
    const [first] = scenes as [Scene];
    const lost = runIds[3] ?? '';
    const renameSql = `UPDATE run_steps SET key = $3 WHERE tenant_id = $1 AND run_id = $2`;
    await first.ctx.db.query(renameSql, [first.ctx.tenantId, lost, 'gone']);
    await test.shiftClock(100);
    await expect(first.sweep()).rejects.toThrow('1 runs with due steps did not advance');
    await first.ctx.db.query(renameSql, [first.ctx.tenantId, lost, 'a']);
    for (const [index, runId] of runIds.entries()) {
      const scene = scenes[index < 60 ? 0 : 1] as Scene;
      expect((await scene.read(runId)).status).toBe(runId === lost ? 'started' : 'failed');
    }
    expect(await first.sweep()).toBe(1);
    expect(await first.sweep()).toBe(0);
  });
});
