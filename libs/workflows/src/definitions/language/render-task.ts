import {
  parseTimestamp,
  type StepDefinition,
  type Acceptance,
  taskPriorities,
  type WorkflowDefinition,
} from '@eas/contracts';
import { isId } from '@eas/core';
import type { NewTask } from '@eas/tasks';
import { fillIn } from './placeholder.ts';
import { renderMetadata } from './render-metadata.ts';
import type { RunData } from './run-data.ts';

/** The task of a step's attempt, without what plans it. */
export type RenderedTask = Pick<NewTask, 'title' | 'description' | 'priority' | 'due_date'> &
  Pick<NewTask, 'assigned_role' | 'tags' | 'metadata' | 'suggested_project' | 'contract'>;

/**
 * Fills in a step's task template. It never fails: values that do not fit a task are cut or omitted. A step that names
 * no project has that of its workflow.
 */
export function renderTask(
  step: StepDefinition,
  data: RunData,
  { project = '' }: Pick<WorkflowDefinition, 'project'> = {},
): RenderedTask {
  const { task: template, role, name } = step;
  const textOf = (text: string, maxLength: number) => fillIn(text, data, maxLength);
  const wanted = textOf(template.priority ?? '', 500).trim();
  const priority = taskPriorities.find((one) => one === wanted);
  const tags = template.tags.map((tag) => textOf(tag, 64)).filter((tag) => tag.trim() !== '');
  const suggested = textOf(template.project ?? project, 500).trim();
  return {
    title: sayingSomething(textOf(template.title, 500), name),
    description: sayingSomething(textOf(template.description, 65_536), name),
    ...(priority === undefined ? {} : { priority }),
    due_date: parseTimestamp(textOf(template.due_date ?? '', 64).trim()) ?? null,
    assigned_role: role,
    ...(tags.length > 0 ? { tags } : {}),
    metadata: renderMetadata(template.metadata, data),
    ...(isId('project', suggested) ? { suggested_project: suggested } : {}),
    ...acceptanceOf(step),
  };
}

const sayingSomething = (text: string, otherwise: string): string => (text.trim() === '' ? otherwise : text);

function acceptanceOf({ task: { contract }, approval }: StepDefinition): { contract?: Acceptance } {
  if (!contract && !approval) return {};
  return { contract: { ...contract, ...(approval ? { review: approval } : {}) } };
}
