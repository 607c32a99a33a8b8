import { parseTimestamp, type StepDefinition, type Acceptance, taskPriorities } from '@eas/contracts';
import type { NewTask } from '@eas/tasks';
import { fillIn } from './placeholder.ts';
import { renderMetadata } from './render-metadata.ts';
import type { RunData } from './run-data.ts';

/** The task of a step's attempt, without what plans it. */
export type RenderedTask = Pick<NewTask, 'title' | 'description' | 'priority' | 'due_date'> &
  Pick<NewTask, 'assigned_role' | 'tags' | 'metadata' | 'contract'>;

/** Fills in a step's task template. It never fails: what does not fit a task is cut, or as if it were not there. */
export function renderTask(step: StepDefinition, data: RunData): RenderedTask {
  const { task: template, role, name } = step;
  const textOf = (text: string, maxLength: number) => fillIn(text, data, maxLength);
  const texts = { priority: textOf(template.priority ?? '', 500), dueDate: textOf(template.due_date ?? '', 64) };
  return {
    title: sayingSomething(textOf(template.title, 500), name),
    description: sayingSomething(textOf(template.description, 65_536), name),
    priority: taskPriorities.find((priority) => priority === texts.priority.trim()) ?? 'medium',
    due_date: parseTimestamp(texts.dueDate.trim()) ?? null,
    assigned_role: role,
    tags: template.tags.map((tag) => textOf(tag, 64)).filter((tag) => tag.trim() !== ''),
    metadata: renderMetadata(template.metadata, data),
    ...acceptanceOf(step),
  };
}

const sayingSomething = (text: string, otherwise: string): string => (text.trim() === '' ? otherwise : text);

function acceptanceOf({ task: { contract }, approval }: StepDefinition): { contract?: Acceptance } {
  if (!contract && !approval) return {};
  return { contract: { ...contract, ...(approval ? { review: approval } : {}) } };
}
