import { AppError } from '@eas/core';
import { contextInTransaction, takePendingEvents } from '@eas/db';
import { cancelTask, changeTask, decideByHand } from '@eas/tasks';
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { advanceOnEvents, advanceRuns, cancelRun, decideStep, pauseRun, resumeRun, retryRun } from '../src/index.ts';
import {
  command,
  type CommandName,
  isLive,
  evaluate,
  type ModelStep,
  type ModelTask,
  refuses,
  type RunModel,
} from './run-model.ts';
import { stateOf } from './run-state.ts';
import { everythingOf, type Scene } from './scene.ts';

/** The expected runs, and their scene. `isAtOnce`: they advance with the calls on their tasks, and jobs do the rest. */
type Runs = { models: RunModel[]; ids: string[]; isAtOnce: boolean };
export type Stage = { scene: Scene; runs: Runs };
type RunCommand = fc.AsyncCommand<Runs, Scene>;

/** The expected state of a run, in the form of stateOf. */
const shownOf = ({ status, isPaused, steps }: RunModel) => ({
  status,
  isPaused,
  steps: steps.map((step) => ({ key: step.definition.id, status: step.status, attempt: step.attempt })),
});

export async function assertAgreement({ scene, runs }: Stage): Promise<void> {
  expect(await Promise.all(runs.ids.map((id) => stateOf(scene.ctx, id)))).toEqual(runs.models.map(shownOf));
}

const pick = <T>(list: readonly T[], number: number): T => list[number % list.length] as T;
const calls = { pause: pauseRun, resume: resumeRun, cancel: cancelRun, retry: retryRun };

/** The run and the step that numbers choose: one that is worked on, if any is. */
function chosen({ runs }: Stage, run: number, step: number) {
  const index = run % runs.models.length;
  const model = runs.models[index] as RunModel;
  const live = model.steps.filter(isLive);
  const modelStep = pick(live.length > 0 ? live : model.steps, step);
  return { model, step: modelStep, key: modelStep.definition.id, runId: runs.ids[index] as string };
}

const work = [
  'complete',
  'completeWell',
  'completeWell',
  'fail',
  'failAgain',
  'vanish',
  'release',
  'byPerson',
  'cancel',
] as const;

async function doWork(stage: Stage, run: number, at: number, what: (typeof work)[number]): Promise<void> {
  const { step, key, runId } = chosen(stage, run, at);
  const task = step.tasks.at(-1);
  const isOpen = task?.state === 'open';
  if (!task || !isLive(step) || (!isOpen && (task.state !== 'review' || !['byPerson', 'cancel'].includes(what))))
    return;
  const { scene } = stage;
  const taskId = scene.stepOf(await scene.read(runId), key).task_id ?? '';
  switch (what) {
    case 'complete':
    case 'completeWell':
      await scene.complete(runId, key, { ok: what === 'completeWell' });
      task.ok = what === 'completeWell';
      task.state = step.definition.approval ? 'review' : 'completed';
      return;
    case 'fail':
      await scene.fail(runId, key);
      task.state = 'failed';
      return;
    case 'failAgain':
      await scene.fail(runId, key, { retryable: true });
      task.failures += 1;
      if (task.failures === 3) task.state = 'failed';
      return;
    case 'vanish':
      await scene.vanish(runId, key);
      task.lostLeases += 1;
      if (task.lostLeases === 3) task.state = 'failed';
      return;
    case 'release':
      return scene.release(runId, key);
    case 'byPerson':
      await changeTask(scene.ctx, { taskId, body: { status: 'completed' } });
      // What a review has rejected is not what the task is completed with.
      if (isOpen) task.ok = undefined;
      task.state = 'completed';
      return;
    case 'cancel':
      await cancelTask(scene.ctx, { taskId });
      task.state = 'cancelled';
  }
}

type How = 'step' | 'task' | 'child';

async function review(stage: Stage, run: number, at: number, how: How, isGood: boolean): Promise<void> {
  const { model, step, key, runId } = chosen(stage, run, at);
  const task = step.tasks.at(-1);
  const { scene } = stage;
  const decision = isGood ? 'approve' : 'reject';
  const { id: stepId, task_id: taskId } = scene.stepOf(await scene.read(runId), key);
  if (!task || task.state !== 'review' || !isLive(step)) {
    await refused(decideStep(scene.ctx, { runId, stepId, decision }));
    return;
  }
  decideModel(task, isGood);
  if (how === 'step') {
    await decideStep(scene.ctx, { runId, stepId, decision, comment: 'c' });
    evaluate(model);
  } else if (how === 'task' || !step.definition.approval?.role) {
    await decideByHand(scene.ctx, { taskId: taskId ?? '', decision });
  } else await scene.reviewAsAgent(taskId ?? '', decision);
}

function decideModel(task: ModelTask, isGood: boolean): void {
  task.state = isGood ? 'completed' : 'open';
  if (!isGood) task.rejections += 1;
}

async function refused(running: Promise<unknown>): Promise<void> {
  const error = await running.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ code: 'conflict' });
}

async function order(stage: Stage, run: number, name: CommandName): Promise<void> {
  const { model, runId } = chosen(stage, run, 0);
  const running = calls[name](stage.scene.ctx, { runId });
  if (refuses(model, name)) return refused(running);
  await running;
  command(model, name);
}

const deliveries = ['all', 'one', 'backwards', 'twiceAtOnce', 'thrice', 'withoutEvents'] as const;

/** Jobs are delivered late, twice, one by one, in any order, or not at all. */
async function deliver({ scene, runs }: Stage, how: (typeof deliveries)[number], number: number): Promise<void> {
  const pending = await scene.readPending();
  const ids = pending.map(({ eventId }) => eventId);
  const one = pending.length > 0 ? [pick(pending, number)] : [];
  if (how === 'all') await scene.consume(ids);
  else if (how === 'one') await scene.consume(one.map(({ eventId }) => eventId));
  else if (how === 'backwards') for (const id of ids.toReversed()) await scene.consume([id]);
  else if (how === 'twiceAtOnce') await Promise.all([scene.consume(ids), scene.consume(ids.toReversed())]);
  else if (how === 'thrice') for (let time = 0; time < 3; time += 1) await scene.consume(ids);
  else await Promise.all([advanceRuns(scene.system, runs.ids), advanceRuns(scene.system, runs.ids.toReversed())]);
  const checked = new Set((how === 'one' ? one : pending).map(({ runId }) => runId));
  runs.models.forEach((model, index) => {
    if (how === 'withoutEvents' || checked.has(runs.ids[index] ?? '')) evaluate(model);
  });
}

/** Does what is left to jobs. What has advanced already stays as it is, unless the time of a step is up. */
async function catchUp({ scene, runs: { ids, models } }: Stage): Promise<void> {
  await scene.deliver();
  const before = await everythingOf(scene);
  await advanceRuns(scene.system, ids);
  if (!models.some(({ steps }) => steps.some(isDue))) expect(await everythingOf(scene)).toEqual(before);
  models.forEach(evaluate);
}

/** A process that dies during a job: in the middle or just before the commit. */
async function crash({ scene }: Stage, afterStatements: number): Promise<void> {
  const ids = (await scene.readPending()).map(({ eventId }) => eventId);
  const died = new Error('died');
  const job = scene.system.inTransaction(async (tx) => {
    let statements = 0;
    const query: typeof tx.db.query = (...call) => {
      statements += 1;
      if (statements > afterStatements) throw died;
      return tx.db.query(...call);
    };
    const dying = { ...tx, db: { ...tx.db, query } };
    await advanceOnEvents(
      contextInTransaction(scene.system, dying),
      await takePendingEvents(dying, 'run.advance', ids),
    );
    throw died;
  });
  await expect(job).rejects.toBe(died);
}

async function elapse(stage: Stage, run: number): Promise<void> {
  const { model, runId } = chosen(stage, run, 0);
  await stage.scene.elapse(runId);
  for (const step of model.steps) if (step.timer === 'running') step.timer = 'up';
}

async function sweep({ scene, runs }: Stage): Promise<void> {
  await Promise.all([scene.sweep(), scene.sweep()]);
  for (const model of runs.models) if (model.steps.some(isDue)) evaluate(model);
}
const isDue = ({ timer }: ModelStep): boolean => timer === 'up';

const index = fc.nat(5);
/** A command after which the runs match the model. */
const act = <T>(name: string, drawn: fc.Arbitrary<T>, play: (stage: Stage, drawn: T) => Promise<void>) =>
  drawn.map((one): RunCommand => ({
    check: () => true,
    async run(runs, scene) {
      await play({ runs, scene }, one);
      if (runs.isAtOnce) await catchUp({ runs, scene });
      await assertAgreement({ runs, scene });
    },
    toString: () => `${name} ${JSON.stringify(one)}`,
  }));

/** Anything that may happen to runs. */
const anyCommand: fc.Arbitrary<RunCommand> = fc.oneof(
  {
    weight: 12,
    arbitrary: act('work', fc.tuple(index, index, fc.constantFrom(...work)), (stage, drawn) => doWork(stage, ...drawn)),
  },
  {
    weight: 5,
    arbitrary: act(
      'review',
      fc.tuple(index, index, fc.constantFrom<How>('step', 'task', 'child'), fc.boolean()),
      (stage, drawn) => review(stage, ...drawn),
    ),
  },
  {
    weight: 8,
    arbitrary: act('deliver', fc.tuple(fc.constantFrom(...deliveries), index), (stage, drawn) =>
      deliver(stage, ...drawn),
    ),
  },
  { weight: 2, arbitrary: act('crash', fc.nat(14), crash) },
  { weight: 2, arbitrary: act('elapse', index, elapse) },
  { weight: 3, arbitrary: act('sweep', fc.constant(0), sweep) },
  {
    weight: 3,
    arbitrary: act(
      'order',
      fc.tuple(index, fc.constantFrom<CommandName>('pause', 'resume', 'resume', 'retry', 'retry', 'cancel')),
      (stage, drawn) => order(stage, ...drawn),
    ),
  },
);

export const anyCommands = fc.commands([anyCommand], { maxCommands: 40, size: 'max' });

/** Completes everything that is still open. */
export async function bringToAnEnd(stage: Stage): Promise<void> {
  const { models } = stage.runs;
  for (let round = 0; round < 40 && models.some(({ status }) => status === 'started'); round += 1) {
    await (stage.runs.isAtOnce ? catchUp(stage) : deliver(stage, 'all', 0));
    for (const [run, model] of models.entries()) {
      if (model.status !== 'started') continue;
      if (model.isPaused) await order(stage, run, 'resume');
      for (const [step, { tasks }] of model.steps.filter(isLive).entries()) {
        if (tasks.at(-1)?.state === 'review') await review(stage, run, step, 'task', true);
        else await doWork(stage, run, step, 'completeWell');
      }
      if (model.steps.some(({ status, timer }) => status === 'pending' && timer === 'running'))
        await elapse(stage, run);
    }
    await sweep(stage);
  }
  if (stage.runs.isAtOnce) await catchUp(stage);
}
