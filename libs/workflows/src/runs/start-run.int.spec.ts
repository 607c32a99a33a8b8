import { type AppError } from '@eas/core';
import { useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { definitionOf, everythingOf, openScene } from '../../test/scene.ts';
import { changeWorkflow } from '../definitions/change-workflow.ts';
import { startRun } from './start-run.ts';

const test = useTestDatabase();
const steps = [{ id: 'a' }, { id: 'b', needs: ['a'] }, { id: 'c', needs: ['a'] }];

describe('starting a run', () => {
  it('has the root step in progress, planned for an agent of its role, and all others in next_steps', async () => {
    const { ctx, agent, workflow } = await openScene(test, steps);
    const run = await startRun(ctx, { workflowId: workflow.id, body: { name: 'Login', parameters: { x: 1 } } });
    expect(run).toEqual({
      workflow_run_id: expect.stringMatching(/^run_/),
      name: 'Login',
      workflow_id: workflow.id,
      status: 'started',
      started_at: expect.any(String),
      estimated_completion: expect.any(String),
      current_step: { id: expect.stringMatching(/^stp_/), name: 'a', assignee: agent.id, status: 'in_progress' },
      next_steps: [
        { id: expect.stringMatching(/^stp_/), name: 'b', assignee: null, status: 'pending' },
        { id: expect.stringMatching(/^stp_/), name: 'c', assignee: null, status: 'pending' },
      ],
    });
  });

  it('leaves the assignee empty only if the role has no agent', async () => {
    const { ctx, workflow } = await openScene(test, [{ id: 'a', role: 'pm' }]);
    const run = await startRun(ctx, { workflowId: workflow.id, body: { name: 'r', parameters: {} } });
    expect(run.current_step).toMatchObject({ assignee: null, status: 'in_progress' });
  });

  it('creates a task that belongs to the run and contains the parameters', async () => {
    const task = { title: '{{run.name}}: {{parameters.repository}}', description: 'd' };
    const { ctx, workflow } = await openScene(test, [{ id: 'a', task }]);
    const body = { name: 'r', parameters: { repository: 'web' } };
    const { workflow_run_id: runId } = await startRun(ctx, { workflowId: workflow.id, body });
    const sql = 'SELECT title FROM tasks WHERE tenant_id = $1 AND workflow_run_id = $2';
    expect(await ctx.db.query(sql, [ctx.tenantId, runId])).toEqual([{ title: 'r: web' }]);
  });

  it('keeps the version of the workflow that it started with', async () => {
    const scene = await openScene(test, [{ id: 'a' }]);
    const runId = await scene.start();
    await changeWorkflow(scene.ctx, { workflowId: scene.workflow.id, body: definitionOf(steps) });
    await scene.complete(runId, 'a');
    await scene.deliver();
    expect(await scene.read(runId)).toMatchObject({ status: 'completed', workflow_version: 1, steps: [{ key: 'a' }] });
    expect((await scene.read(await scene.start())).steps).toHaveLength(3);
  });

  it('concurrently uses one transaction, and refused ones do not affect the others', async () => {
    const definition = { ...definitionOf(steps), parameters: { size: { type: 'integer' as const, required: true } } };
    const { ctx, workflow } = await openScene(test, definition);
    const start = (workflowId: string, parameters: Record<string, unknown>) =>
      startRun(ctx, { workflowId, body: { name: 'r', parameters } });
    const outcomes = await Promise.allSettled([
      start(workflow.id, { size: 1 }),
      start('wfl_unknown', { size: 1 }),
      start(workflow.id, {}),
      start(workflow.id, { size: 'big' }),
      start(workflow.id, { size: 2 }),
    ]);
    expect(outcomes.map((one) => (one.status === 'rejected' ? (one.reason as AppError) : 'started'))).toEqual([
      'started',
      expect.objectContaining({ code: 'not_found' }),
      expect.objectContaining({
        code: 'invalid_input',
        violations: [expect.objectContaining({ field: 'parameters.size', constraint: 'required' })],
      }),
      expect.objectContaining({
        code: 'invalid_input',
        violations: [expect.objectContaining({ field: 'parameters.size', constraint: 'type' })],
      }),
      'started',
    ]);
    const { runs, steps: rows, tasks } = await everythingOf({ ctx });
    expect([runs.length, rows.length, tasks.length]).toEqual([2, 6, 2]);
  });

  it('of a workflow of another tenant is not_found and creates nothing', async () => {
    const { workflow } = await openScene(test, steps);
    const ctx = test.context({ tenantId: await test.createTenant() });
    const start = startRun(ctx, { workflowId: workflow.id, body: { name: 'r', parameters: {} } });
    await expect(start).rejects.toMatchObject({ code: 'not_found' });
    expect((await everythingOf({ ctx })).runs).toEqual([]);
  });
});
