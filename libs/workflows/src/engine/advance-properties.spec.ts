import { AppError } from '@eas/core';
import { isFinal } from '@eas/tasks';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyDefinition } from '../../test/any-definition.ts';
import { createWorld, type World } from '../../test/world.ts';
import { isDone, isWorkedOn } from '../records/step.ts';
import { begin, cancel, pause, resume, retry } from './commands.ts';

const commands = { begin, cancel, pause, resume, retry };
const anyAct = fc.oneof(
  { weight: 8, arbitrary: fc.record({ act: fc.constantFrom('complete', 'fail', 'review'), step: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constantFrom('reject', 'cancelTask'), step: fc.nat(5) }) },
  { weight: 8, arbitrary: fc.record({ act: fc.constant('evaluate'), step: fc.constant(0) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('pass'), step: fc.integer({ min: 1, max: 4_000 }) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constantFrom('pause', 'resume', 'retry'), step: fc.constant(0) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('cancel'), step: fc.constant(0) }) },
);
type Act = typeof anyAct extends fc.Arbitrary<infer A> ? A : never;

/** Changes the task of a step, if it has one that has not ended. */
function change(world: World, key: string, act: string): void {
  const task = world.taskOf(key);
  if (!task || isFinal(task.status)) return;
  if (act === 'complete') world.complete(key, { ok: key.length % 2 === 0 });
  else if (act === 'fail') world.task(key, { status: 'failed', results: { reason: 'r' } });
  else if (act === 'review') world.task(key, { status: 'in_review' });
  else if (act === 'cancelTask') world.task(key, { status: 'cancelled' });
  else if (task.status === 'in_review') world.reject(key);
}

/** Runs an action and checks the invariants of the engine's decision. */
function play(world: World, { act, step }: Act): void {
  const { steps } = world.state;
  if (act === 'pass') return world.pass(step);
  if (!(act in commands) && act !== 'evaluate') return change(world, steps[step % steps.length]?.key ?? '', act);
  checked(world, commands[act as keyof typeof commands]);
}

function checked(world: World, command?: (typeof commands)['begin']): void {
  const before = { ...world.state, steps: structuredClone(world.state.steps) };
  try {
    holds(before, world, world.evaluate(command));
    expect(world.evaluate()).toBeUndefined();
  } catch (error) {
    // A command may be refused; then it changes nothing.
    if (!(error instanceof AppError)) throw error;
    expect(world.state).toEqual(before);
  }
}

function holds(before: World['state'], { state }: World, decided: ReturnType<World['evaluate']>): void {
  const was = new Map(before.steps.map((step) => [step.key, step]));
  const is = new Map(state.steps.map((step) => [step.key, step]));
  for (const { step } of decided?.starts ?? []) {
    const { needs, retry: retries } = state.definition.steps[step.position] ?? {
      needs: [],
      retry: { max_attempts: 0 },
    };
    // Needs of what starts are done, the run goes on, and no more attempts are made than there are.
    expect(needs.filter((key) => !isDone(is.get(key) ?? step))).toEqual([]);
    expect(state.run).toMatchObject({ status: 'started', pausedAt: null });
    expect(step.attempt).toBeLessThanOrEqual(retries.max_attempts);
  }
  for (const step of state.steps) {
    const earlier = was.get(step.key);
    // What is done stays as it is.
    if (earlier && isDone(earlier)) expect(step).toEqual(earlier);
    // A step in progress has one task, and other steps wait for none.
    if (isWorkedOn(step)) expect(isFinal(state.tasks.get(step.taskId ?? '')?.status ?? 'failed')).toBe(false);
    else expect(step.dueAt === null || step.status === 'pending').toBe(true);
  }
  const live = [...state.tasks.values()].filter(({ status }) => !isFinal(status)).map(({ id }) => id);
  expect(live.toSorted()).toEqual(state.steps.flatMap((one) => (isWorkedOn(one) ? (one.taskId ?? []) : [])).toSorted());
  const completed = state.steps.filter((one) => one.status === 'completed' && was.get(one.key)?.status !== 'completed');
  const published = decided?.events.filter(({ type }) => type === 'workflow.step_completed') ?? [];
  expect(published).toHaveLength(completed.length);
}

describe('any history of a run and its tasks', () => {
  const anyHistory = fc.tuple(anyDefinition, fc.boolean(), fc.array(anyAct, { maxLength: 40, size: 'max' }));

  it('respects needs, keeps done steps done and one task per step, and changes nothing when it is evaluated again', () => {
    fc.assert(
      fc.property(anyHistory, ([definition, flag, acts]) => {
        const world = createWorld(definition, { flag });
        world.evaluate(begin);
        for (const act of acts) play(world, act);
      }),
      { numRuns: 200 },
    );
  });

  it('ends when its tasks have ended', () => {
    fc.assert(
      fc.property(anyHistory, ([definition, flag, acts]) => {
        const world = createWorld(definition, { flag });
        world.evaluate(begin);
        for (const act of acts) play(world, act);
        checked(world);
        if (world.state.run.pausedAt) checked(world, resume);
        for (let round = 0; round < definition.steps.length + 1; round += 1) {
          world.pass(1_000_000);
          for (const { id } of definition.steps) change(world, id, 'complete');
          checked(world);
        }
        expect(world.state.run.status).not.toBe('started');
        expect(world.state.run.finishedAt).not.toBeNull();
      }),
      { numRuns: 200 },
    );
  });
});
