import type { WorkflowDefinition } from '@eas/contracts';
import { newId } from '@eas/core';
import { isFinal, type TaskState } from '@eas/tasks';
import { advance, type RunChange } from '../src/engine/advance.ts';
import type { Command } from '../src/engine/commands.ts';
import type { Decision, RunState } from '../src/engine/draft.ts';
import { newStep, type Step } from '../src/records/step.ts';

/** A run and its tasks in memory: what the engine decides happens at once. */
export function createWorld(definition: WorkflowDefinition, parameters: Record<string, unknown> = {}) {
  let now = Date.parse('2026-11-20T10:00:00Z');
  const tasks = new Map<string, TaskState>();
  let state: RunState = {
    at: new Date(now),
    run: {
      id: 'run_1',
      workflowId: 'wfl_1',
      workflowVersion: 1,
      name: 'r',
      parameters,
      status: 'started',
      startedAt: new Date(now),
      startedBy: 'key_1',
      estimatedCompletion: new Date(now),
      pausedAt: null,
      finishedAt: null,
      version: 0,
      timelineSeq: 0,
    },
    definition,
    steps: definition.steps.map(({ id: key, name, role }, position) =>
      newStep({ id: `stp_${key}`, key, position, name, role }),
    ),
    tasks,
    mediansMs: new Map(),
  };

  function evaluate(command?: Command, decision?: Decision) {
    const act = { actor: 'key_1', ...(decision && { decision }) };
    const change = advance({ ...state, at: new Date(now) }, act, command);
    if (change) apply(change);
    return change;
  }

  function apply({ run, steps, starts, ends }: RunChange): void {
    for (const { taskId } of ends) set(taskId, { status: 'cancelled' });
    for (const { step } of starts) {
      const id = newId('task');
      step.taskId = id;
      const task = { id, status: 'created', assignedAgent: null, completedBy: null, completedAt: null } as const;
      tasks.set(id, { ...task, results: null, rejections: 0 });
    }
    state = { ...state, run, steps };
  }

  const set = (taskId: string, fields: Partial<TaskState>) => {
    const task = tasks.get(taskId);
    if (!task || isFinal(task.status)) throw new Error('an ended task is ended again');
    tasks.set(taskId, { ...task, ...fields });
  };
  const stepOf = (key: string): Step => {
    const step = state.steps.find((one) => one.key === key);
    if (!step) throw new Error(`no step ${key}`);
    return step;
  };
  const taskOf = (key: string): TaskState | undefined => tasks.get(stepOf(key).taskId ?? '');

  return {
    get state() {
      return state;
    },
    evaluate,
    stepOf,
    taskOf,
    /** Changes the current task of a step, as its agent by default. */
    task: (key: string, fields: Partial<TaskState>) => set(stepOf(key).taskId ?? '', fields),
    complete: (key: string, result: Record<string, unknown> = {}, completedBy = newId('agent')) =>
      set(stepOf(key).taskId ?? '', { status: 'completed', completedBy, results: { result } }),
    reject: (key: string) =>
      set(stepOf(key).taskId ?? '', { status: 'open', rejections: (taskOf(key)?.rejections ?? 0) + 1 }),
    pass: (seconds: number) => void (now += seconds * 1_000),
    statuses: () => Object.fromEntries(state.steps.map(({ key, status }) => [key, status])),
  };
}
export type World = ReturnType<typeof createWorld>;
