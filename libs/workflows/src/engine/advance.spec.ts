import { AppError } from '@eas/core';
import { describe, expect, it } from '@jest/globals';
import { definitionOf } from '../../test/scene.ts';
import { createWorld, type World } from '../../test/world.ts';
import { begin, cancel, pause, resume, retry } from './commands.ts';

type Steps = Parameters<typeof definitionOf>[0];

function begun(steps: Steps, parameters: Record<string, unknown> = {}): World {
  const world = createWorld(definitionOf(steps), parameters);
  world.evaluate(begin);
  return world;
}
const kindsOf = (change: ReturnType<World['evaluate']>) => change?.entries.map(({ kind }) => kind);
const eventsOf = (change: ReturnType<World['evaluate']>) => change?.events.map(({ type }) => type);
const stateConflict = { code: 'conflict', violations: [{ constraint: 'state' }] };

describe('a run that begins', () => {
  it('has its root step in progress and all others pending', () => {
    const world = begun([{ id: 'a' }, { id: 'b', needs: ['a'] }, { id: 'c', needs: ['a'] }]);
    expect(world.statuses()).toEqual({ a: 'in_progress', b: 'pending', c: 'pending' });
    expect(world.evaluate()).toBeUndefined();
  });

  it('is expected to end after its longest path', () => {
    const world = begun([
      { id: 'a', duration: 100 },
      { id: 'b', needs: ['a'], duration: 10 },
      { id: 'c', needs: ['a'], duration: 50 },
      { id: 'd', needs: ['b', 'c'], duration: 1 },
    ]);
    const { startedAt, estimatedCompletion } = world.state.run;
    expect(estimatedCompletion.getTime() - startedAt.getTime()).toBe(151_000);
    world.pass(30);
    world.evaluate(pause);
    expect(world.state.run.estimatedCompletion.getTime() - startedAt.getTime()).toBe(151_000);
  });
});

describe('steps', () => {
  it('start together when what they need is done, and a join waits for all of its needs', () => {
    const world = begun([
      { id: 'a' },
      { id: 'b', needs: ['a'] },
      { id: 'c', needs: ['a'] },
      { id: 'd', needs: ['b', 'c'] },
    ]);
    world.complete('a');
    expect(world.evaluate()?.starts.map(({ step }) => step.key)).toEqual(['b', 'c']);
    world.complete('c');
    expect(world.evaluate()?.starts).toEqual([]);
    world.complete('b');
    expect(world.evaluate()?.starts.map(({ step }) => step.key)).toEqual(['d']);
    world.complete('d');
    expect(eventsOf(world.evaluate())).toEqual(['workflow.step_completed', 'workflow.completed']);
    expect(world.state.run).toMatchObject({ status: 'completed', finishedAt: world.state.run.estimatedCompletion });
  });

  it('whose condition is false are skipped, which counts as done, however many follow each other', () => {
    const world = begun(
      [
        { id: 'a' },
        { id: 'b', needs: ['a'], condition: { path: 'parameters.x', op: 'exists' } },
        { id: 'c', needs: ['b'], condition: { path: 'parameters.x', op: 'exists' } },
        { id: 'd', needs: ['c'], condition: { path: 'steps.a.result.ok', op: 'eq', value: true } },
      ],
      {},
    );
    world.complete('a', { ok: true });
    expect(kindsOf(world.evaluate())).toEqual(['step_completed', 'step_skipped', 'step_skipped', 'step_started']);
    world.complete('d');
    world.evaluate();
    expect(world.state.run.status).toBe('completed');
  });

  it('pass their results and the parameters to the tasks of later ones', () => {
    const world = begun(
      [
        { id: 'a' },
        {
          id: 'b',
          needs: ['a'],
          task: { title: '{{steps.a.result.n}} in {{parameters.repository}}', description: 'd' },
        },
      ],
      { repository: 'web' },
    );
    world.complete('a', { n: 7 });
    expect(world.evaluate()?.starts[0]?.task.title).toBe('7 in web');
  });

  it('completed by a person, without a result, are completed', () => {
    const world = begun([{ id: 'a' }]);
    world.task('a', { status: 'completed', completedBy: 'usr_1' });
    expect(kindsOf(world.evaluate())).toEqual(['step_completed', 'completed']);
    expect(world.stepOf('a').result).toEqual({});
  });
});

describe('an attempt that failed', () => {
  const twice = [{ id: 'a', retry: { max_attempts: 2, backoff: 60 } }];

  it('is followed by another one, with a task of its own, when the backoff is over', () => {
    const world = begun(twice);
    const first = world.stepOf('a').taskId;
    world.task('a', { status: 'failed', results: { reason: 'it broke' } });
    expect(kindsOf(world.evaluate())).toEqual(['step_failed']);
    expect(world.stepOf('a')).toMatchObject({ status: 'pending', reason: 'it broke' });
    world.pass(59);
    expect(world.evaluate()).toBeUndefined();
    world.pass(1);
    expect(kindsOf(world.evaluate())).toEqual(['step_started']);
    expect(world.stepOf('a')).toMatchObject({ status: 'in_progress', attempt: 2, reason: null });
    expect(world.stepOf('a').taskId).not.toBe(first);
  });

  it('waits twice as long before each further one', () => {
    const world = begun([{ id: 'a', retry: { max_attempts: 3, backoff: 60 } }]);
    for (const seconds of [60, 120]) {
      world.task('a', { status: 'failed' });
      const at = world.evaluate()?.entries[0]?.at.getTime() ?? 0;
      expect((world.stepOf('a').dueAt?.getTime() ?? 0) - at).toBe(seconds * 1_000);
      world.pass(seconds);
      world.evaluate();
    }
  });

  it('that was the last fails the run: other open steps are cancelled with their tasks', () => {
    const world = begun([
      { id: 'a' },
      { id: 'b', needs: ['a'] },
      { id: 'c', needs: ['a'] },
      { id: 'd', needs: ['b', 'c'] },
    ]);
    world.complete('a');
    world.evaluate();
    world.task('b', { status: 'failed', results: { reason: 'it broke' } });
    const change = world.evaluate();
    expect(change?.ends).toEqual([{ how: 'cancel', taskId: world.stepOf('c').taskId }]);
    expect(change?.events).toMatchObject([
      { type: 'workflow.failed', data: { step_id: 'stp_b', step_name: 'b', reason: 'it broke' } },
    ]);
    expect(world.statuses()).toEqual({ a: 'completed', b: 'failed', c: 'cancelled', d: 'cancelled' });
  });

  it('by a cancelled task is not tried again', () => {
    const world = begun(twice);
    world.task('a', { status: 'cancelled' });
    world.evaluate();
    expect(world.state.run.status).toBe('failed');
  });

  it('after its time-out has its task ended, and counts like any other', () => {
    const world = begun([{ id: 'a', timeout: 100, retry: { max_attempts: 2 } }]);
    world.pass(99);
    expect(world.evaluate()).toBeUndefined();
    world.pass(1);
    const change = world.evaluate();
    expect(change?.ends).toMatchObject([{ how: 'time_out' }]);
    expect(kindsOf(change)).toEqual(['step_failed', 'step_started']);
    world.pass(100);
    world.evaluate();
    expect(world.state.run.status).toBe('failed');
  });

  it('does not time out if a result arrived before the check', () => {
    const world = begun([{ id: 'a', timeout: 100 }]);
    world.pass(200);
    world.complete('a');
    world.evaluate();
    expect(world.state.run.status).toBe('completed');
  });
});

describe('a step under approval', () => {
  const approved = [{ id: 'a', approval: { person: true }, retry: { max_attempts: 2 }, timeout: 100 }];

  it('waits for it, and is completed when its task is', () => {
    const world = begun(approved);
    world.task('a', { status: 'in_review' });
    expect(kindsOf(world.evaluate())).toEqual(['step_awaiting_approval']);
    world.complete('a');
    expect(kindsOf(world.evaluate())).toEqual(['step_approved', 'step_completed', 'completed']);
  });

  it('is done again in a new attempt on the same task when it is rejected, with its full time', () => {
    const world = begun(approved);
    const { taskId } = world.stepOf('a');
    world.task('a', { status: 'in_review' });
    world.evaluate();
    world.pass(90);
    world.reject('a');
    expect(kindsOf(world.evaluate())).toEqual(['step_rejected']);
    expect(world.stepOf('a')).toMatchObject({ status: 'in_progress', attempt: 2, taskId });
    world.pass(90);
    expect(world.evaluate()).toBeUndefined();
  });

  it.each(['open', 'in_review', 'completed'] as const)(
    'has failed when its last attempt is rejected, also where the task is %s again by then',
    (status) => {
      const world = begun(approved);
      world.task('a', { status, rejections: 2, completedBy: 'agt_1' });
      const change = world.evaluate();
      expect(kindsOf(change)).toEqual(['step_rejected', 'step_rejected', 'step_failed', 'failed']);
      expect(change?.ends).toHaveLength(status === 'completed' ? 0 : 1);
    },
  );

  it('has each rejection in its history, also those after the one that used its last attempt', () => {
    const world = begun([{ id: 'a', approval: { person: true }, retry: { max_attempts: 1 } }]);
    world.task('a', { status: 'in_review', rejections: 3 });
    const kinds = ['step_rejected', 'step_rejected', 'step_rejected', 'step_failed', 'failed'];
    expect(kindsOf(world.evaluate())).toEqual(kinds);
  });

  it('publishes the comment of the deciding person', () => {
    const world = begun(approved);
    world.reject('a');
    const change = world.evaluate(undefined, { stepId: 'stp_a', decision: 'reject', comment: 'too slow' });
    expect(change?.entries).toMatchObject([{ kind: 'step_rejected', actor: 'key_1', data: { comment: 'too slow' } }]);
  });

  it('does not attach the comment of one decision to earlier rejections', () => {
    const world = begun([{ ...approved[0], id: 'a', retry: { max_attempts: 4 } }]);
    world.reject('a');
    world.reject('a');
    const second = world.evaluate(undefined, { stepId: 'stp_a', decision: 'reject', comment: 'too slow' });
    expect(second?.entries).toMatchObject([{ actor: 'system' }, { actor: 'key_1', data: { comment: 'too slow' } }]);
    world.reject('a');
    world.complete('a');
    const approval = world.evaluate(undefined, { stepId: 'stp_a', decision: 'approve', comment: 'good' });
    const entries = [
      { kind: 'step_rejected', actor: 'system' },
      { kind: 'step_approved', actor: 'key_1', data: { comment: 'good' } },
    ];
    expect(approval?.entries.slice(0, 2)).toMatchObject(entries);
    expect([second?.entries[0], approval?.entries[0]].map((entry) => entry?.data['comment'])).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('a paused run', () => {
  it('applies results and starts nothing until it is resumed', () => {
    const world = begun([{ id: 'a' }, { id: 'b', needs: ['a'] }]);
    world.evaluate(pause);
    world.complete('a');
    expect(kindsOf(world.evaluate())).toEqual(['step_completed']);
    expect(kindsOf(world.evaluate(resume))).toEqual(['resumed', 'step_started']);
  });

  it('leaves nothing to be swept when a backoff is over', () => {
    const world = begun([{ id: 'a', retry: { max_attempts: 2, backoff: 60 } }]);
    world.task('a', { status: 'failed' });
    world.evaluate(pause);
    world.pass(60);
    world.evaluate();
    expect(world.stepOf('a')).toMatchObject({ status: 'pending', dueAt: null });
    expect(kindsOf(world.evaluate(resume))).toEqual(['resumed', 'step_started']);
  });

  it('is completed with its last step', () => {
    const world = begun([{ id: 'a' }]);
    world.evaluate(pause);
    world.complete('a');
    world.evaluate();
    expect(world.state.run).toMatchObject({ status: 'completed', pausedAt: null });
  });
});

describe('a failed run that is retried', () => {
  it('repeats failed steps and those cancelled because of them, with all attempts; the rest stays', () => {
    const world = begun([
      { id: 'a' },
      { id: 'b', needs: ['a'], condition: { path: 'parameters.x', op: 'exists' } },
      { id: 'c', needs: ['a'] },
      { id: 'd', needs: ['a', 'c'] },
    ]);
    world.complete('a', { n: 1 });
    world.evaluate();
    world.task('c', { status: 'failed' });
    world.evaluate();
    expect(kindsOf(world.evaluate(retry))).toEqual(['retried', 'step_started']);
    expect(world.statuses()).toEqual({ a: 'completed', b: 'skipped', c: 'in_progress', d: 'pending' });
    expect(world.stepOf('c').attempt).toBe(1);
    world.complete('c');
    world.evaluate();
    world.complete('d');
    world.evaluate();
    expect(world.state.run.status).toBe('completed');
  });
});

describe('a command', () => {
  const refused = (world: World, command: typeof cancel) => {
    const before = structuredClone(world.state);
    expect(() => world.evaluate(command)).toThrow(AppError);
    try {
      world.evaluate(command);
    } catch (error) {
      expect(error).toMatchObject(stateConflict);
    }
    expect(world.state).toEqual(before);
  };

  it('is refused if the state of the run does not allow it, and changes nothing', () => {
    const running = begun([{ id: 'a' }]);
    refused(running, resume);
    refused(running, retry);
    running.evaluate(pause);
    refused(running, pause);
    for (const status of ['completed', 'failed'] as const) {
      const ended = begun([{ id: 'a' }]);
      ended.task('a', { status });
      ended.evaluate();
      expect(ended.state.run.status).toBe(status);
      for (const command of [cancel, pause, resume, ...(status === 'failed' ? [] : [retry])]) refused(ended, command);
    }
  });

  it('is applied after pending results: a run whose last task is completed is not cancelled', () => {
    const world = begun([{ id: 'a' }]);
    world.complete('a');
    refused(world, cancel);
    world.evaluate();
    expect(world.state.run.status).toBe('completed');
  });

  it('to cancel ends open steps and their tasks', () => {
    const world = begun([{ id: 'a' }, { id: 'b', needs: ['a'] }]);
    const change = world.evaluate(cancel);
    expect(world.statuses()).toEqual({ a: 'cancelled', b: 'cancelled' });
    expect(change?.ends).toHaveLength(1);
    expect(eventsOf(change)).toEqual(['workflow.cancelled']);
  });
});
