import type { StepDefinition, WorkflowDefinition } from '@eas/contracts';

/** The expected task of a step. */
export type ModelTask = {
  state: 'open' | 'review' | 'completed' | 'failed' | 'cancelled';
  /** The agent's last result. */
  ok: boolean | undefined;
  rejections: number;
  lostLeases: number;
  failures: number;
};

/** The expected state of a step, as of the engine's last evaluation. */
export type ModelStep = {
  definition: StepDefinition;
  status: string;
  attempt: number;
  /** Rejections that the engine knows of. */
  counted: number;
  timer: 'none' | 'running' | 'up';
  tasks: ModelTask[];
};

/** The model of a run: a plain copy of the rules, without time, locks and rows. */
export type RunModel = { status: string; isPaused: boolean; flag: boolean; endings: number; steps: ModelStep[] };
export type CommandName = 'pause' | 'resume' | 'cancel' | 'retry';

export function createModel({ steps }: WorkflowDefinition, flag: boolean): RunModel {
  const fresh = { status: 'pending', attempt: 0, counted: 0, timer: 'none' } as const;
  const run: RunModel = {
    status: 'started',
    isPaused: false,
    flag,
    endings: 0,
    steps: steps.map((definition) => ({ ...fresh, definition, tasks: [] })),
  };
  goOn(run);
  return run;
}

/** Its task is worked on or waits for a decision. */
export const isLive = ({ status }: ModelStep): boolean => status === 'in_progress' || status === 'awaiting_approval';
const isDone = ({ status }: ModelStep): boolean => status === 'completed' || status === 'skipped';
const timerFor = ({ definition: { timeout } }: ModelStep) => (timeout === undefined ? 'none' : 'running');

/** The result of an evaluation by the engine. */
export function evaluate(run: RunModel): void {
  applyResults(run);
  goOn(run);
}

function applyResults(run: RunModel): void {
  if (run.status !== 'started') return;
  for (const step of run.steps) {
    if (isLive(step)) step.status = judge(step);
    else if (step.timer === 'up') step.timer = 'none';
  }
  if (run.steps.some(({ status }) => status === 'failed')) end(run, 'failed');
  else if (run.steps.every(isDone)) end(run, 'completed');
}

/** The status of a step by the result of its task. */
function judge(step: ModelStep): string {
  const { max_attempts: maxAttempts, backoff } = step.definition.retry;
  const task = step.tasks.at(-1) as ModelTask;
  for (; step.counted < task.rejections; step.counted += 1) {
    if (step.attempt === maxAttempts) return 'failed';
    step.attempt += 1;
    step.timer = timerFor(step);
  }
  if (task.state === 'completed' || task.state === 'cancelled') {
    step.timer = 'none';
    return task.state === 'completed' ? 'completed' : 'failed';
  }
  const isTimedOut = task.state !== 'failed' && step.timer === 'up';
  if (isTimedOut) task.state = 'cancelled';
  else if (task.state !== 'failed') return task.state === 'review' ? 'awaiting_approval' : 'in_progress';
  step.timer = backoff > 0 ? 'running' : 'none';
  return step.attempt < maxAttempts ? 'pending' : 'failed';
}

function end(run: RunModel, status: 'completed' | 'failed' | 'cancelled'): void {
  for (const step of run.steps) {
    const task = step.tasks.at(-1);
    // Tasks that no step waits for any more are cancelled.
    if (task && (task.state === 'open' || task.state === 'review')) task.state = 'cancelled';
    if (isLive(step) || step.status === 'pending') step.status = 'cancelled';
    step.timer = 'none';
  }
  Object.assign(run, { status, isPaused: false, endings: run.endings + 1 });
}

function goOn(run: RunModel): void {
  if (run.status !== 'started') return;
  // Once for each step, since a skipped step lets others start.
  for (const step of run.steps.flatMap(() => run.steps)) {
    const needed = run.steps.filter(({ definition: { id } }) => step.definition.needs.includes(id));
    if (step.status !== 'pending' || step.timer !== 'none' || !needed.every(isDone)) continue;
    if (!isWanted(run, step)) step.status = 'skipped';
    else if (!run.isPaused) begin(step);
  }
  if (run.steps.every(isDone)) end(run, 'completed');
}

function begin(step: ModelStep): void {
  step.tasks.push({ state: 'open', ok: undefined, rejections: 0, lostLeases: 0, failures: 0 });
  Object.assign(step, { status: 'in_progress', attempt: step.attempt + 1, counted: 0, timer: timerFor(step) });
}

function isWanted({ steps, flag }: RunModel, { definition: { condition } }: ModelStep): boolean {
  if (!condition || !('path' in condition)) return true;
  const [root, key, field] = condition.path.split('.');
  if (root === 'parameters') return flag;
  const needed = steps.find(({ definition }) => definition.id === key);
  if (field === 'status') return needed?.status === 'skipped';
  return needed?.status === 'completed' && needed.tasks.at(-1)?.ok === true;
}

/** Whether a command is refused, and so changes nothing: it sees what has happened by then. */
export function refuses(run: RunModel, name: CommandName): boolean {
  const then = structuredClone(run);
  applyResults(then);
  if (name === 'retry') return then.status !== 'failed';
  return then.status !== 'started' || (name !== 'cancel' && then.isPaused === (name === 'pause'));
}

export function command(run: RunModel, name: CommandName): void {
  applyResults(run);
  if (name === 'cancel') end(run, 'cancelled');
  else if (name === 'retry') again(run);
  else run.isPaused = name === 'pause';
  goOn(run);
}

function again(run: RunModel): void {
  run.status = 'started';
  for (const step of run.steps)
    if (step.status === 'failed' || step.status === 'cancelled') Object.assign(step, { status: 'pending', attempt: 0 });
}
