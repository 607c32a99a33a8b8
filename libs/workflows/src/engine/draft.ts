import type { StepDefinition, WorkflowDefinition } from '@eas/contracts';
import type { NewEvent } from '@eas/db';
import type { TaskState } from '@eas/tasks';
import type { RenderedTask } from '../definitions/language/render-task.ts';
import type { Run } from '../records/run.ts';
import type { RunEntry, RunEntryKind, StepEntryKind } from '../records/run-entry.ts';
import type { Step } from '../records/step.ts';

/** The complete input of the engine. The event or timer that caused the call is not part of it. */
export type RunState = {
  at: Date;
  run: Run;
  definition: WorkflowDefinition;
  /** In the order of the definition. */
  steps: readonly Step[];
  /** How far the tasks of the steps have come, by id. */
  tasks: ReadonlyMap<string, TaskState>;
  /** How long steps took so far, by their keys; unknown ones take what the definition expects. */
  mediansMs: ReadonlyMap<string, number>;
};

/** The caller for whom a run is advanced. */
export type Act = {
  actor: string;
  /** What the actor decides about a step, whose task knows it already. */
  decision?: Decision;
};

export type Decision = { stepId: string; decision: 'approve' | 'reject'; comment: string | undefined };

type RunEvent = Extract<NewEvent, { type: `workflow.${string}` }>;
type RunEventDetails = {
  [E in RunEvent as E['type']]: Omit<E['data'], 'workflow_run_id' | 'workflow_id' | 'name'>;
};

/** An attempt that begins: its task is to be created, and named in the step and in the entry. */
type Start = { step: Step; entry: RunEntry; task: RenderedTask };

/** A task that no step waits for any more, or that took too long. */
export type TaskEnd = { how: 'cancel'; taskId: string } | { how: 'time_out'; taskId: string; reason: string };

/** A run between one state and the next. `run` and `steps` are copies, free to be changed. */
export type Draft = Omit<RunState, 'steps'> & {
  steps: Step[];
  act: Act;
  entries: RunEntry[];
  events: RunEvent[];
  starts: Start[];
  ends: TaskEnd[];
};

export function startDraft(state: RunState, act: Act): Draft {
  const copies = { run: { ...state.run }, steps: state.steps.map((step) => ({ ...step })) };
  return { ...state, ...copies, act, entries: [], events: [], starts: [], ends: [] };
}

/** Adds a timeline entry. What the engine does by itself has the actor `system`. */
export function addEntry(
  draft: Draft,
  kind: RunEntryKind,
  data: Record<string, unknown> = {},
  actor = 'system',
): RunEntry {
  const entry = { kind, at: draft.at, actor, data };
  draft.entries.push(entry);
  return entry;
}

export function addStepEntry(
  draft: Draft,
  step: Step,
  kind: StepEntryKind,
  data: Record<string, unknown> = {},
  actor?: string,
): RunEntry {
  const { id, key, taskId, attempt } = step;
  const begun = attempt === 0 ? {} : { attempt };
  return addEntry(draft, kind, { step_id: id, key, ...(taskId && { task_id: taskId }), ...begun, ...data }, actor);
}

export function emit<T extends RunEvent['type']>(draft: Draft, type: T, details: RunEventDetails[T]): void {
  const { id, workflowId, name } = draft.run;
  const data = { workflow_run_id: id, workflow_id: workflowId, name, ...details };
  draft.events.push({ type, at: draft.at, data, facts: null } as RunEvent);
}

export function definitionOf({ definition }: Draft, { key }: Step): StepDefinition {
  const found = definition.steps.find(({ id }) => id === key);
  if (!found) throw new Error(`the definition has no step ${key}`);
  return found;
}
