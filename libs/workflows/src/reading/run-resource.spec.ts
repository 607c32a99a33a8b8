import { describe, expect, it } from '@jest/globals';
import { type ShownStep, toRunResource } from './run-resource.ts';

const run = {
  id: 'run_1',
  name: 'Login',
  workflowId: 'wfl_1',
  workflowVersion: 2,
  status: 'started',
  startedAt: new Date('2026-11-20T10:00:00Z'),
  estimatedCompletion: new Date('2026-11-22T10:00:00.5Z'),
  pausedAt: null,
  finishedAt: null,
} as const;
const step = (id: string, status: ShownStep['status']): ShownStep => ({ id, name: id, status, assignee: `agt_${id}` });

describe('the run object', () => {
  it('has the fields of the interface and no other', () => {
    expect(toRunResource(run, [step('a', 'in_progress'), step('b', 'pending')])).toEqual({
      workflow_run_id: 'run_1',
      name: 'Login',
      workflow_id: 'wfl_1',
      status: 'started',
      started_at: '2026-11-20T10:00:00Z',
      estimated_completion: '2026-11-22T10:00:00.500Z',
      current_step: { id: 'a', name: 'a', assignee: 'agt_a', status: 'in_progress' },
      next_steps: [{ id: 'b', name: 'b', assignee: null, status: 'pending' }],
    });
  });

  it('shows the first active step, also one that waits for approval', () => {
    const steps = [step('a', 'completed'), step('b', 'awaiting_approval'), step('c', 'in_progress')];
    expect(toRunResource(run, steps).current_step?.id).toBe('b');
  });

  it('has no current step when none is active', () => {
    const steps = [step('a', 'completed'), step('b', 'failed'), step('c', 'skipped'), step('d', 'cancelled')];
    expect(toRunResource(run, steps)).toMatchObject({ current_step: null, next_steps: [] });
    expect(toRunResource(run, [step('a', 'pending')]).current_step).toBeNull();
  });
});
