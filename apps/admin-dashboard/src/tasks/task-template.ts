import type { Schemas } from '../api/client.ts';
import { priorities } from '../resources/task-words.ts';

type NewTask = Schemas['CreateTask'];

/** What the form begins with. */
export type TaskFields = {
  title: string;
  description: string;
  assigned_role: string;
  project: string;
  priority: string;
  tags: string;
  isReviewed: boolean;
  /** What a template says of the contract beyond the review. */
  contract: Record<string, unknown>;
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** Reads a template; what it does not know is left out. */
export function fieldsOf(data: Readonly<Record<string, unknown>>): TaskFields {
  const { review, ...contract } = objectOf(data['contract']);
  const isReviewed = objectOf(review)['person'] === true;
  return {
    title: textOf(data['title']),
    description: textOf(data['description']),
    assigned_role: textOf(data['assigned_role']),
    project: textOf(data['project']),
    priority: priorities.find((one) => one === data['priority']) ?? '',
    tags: Array.isArray(data['tags']) ? data['tags'].map(textOf).join(', ') : '',
    isReviewed,
    contract: isReviewed || review === undefined ? contract : { ...contract, review },
  };
}

/** The same as texts of the form. A moment is of one task alone, so that `due_date` is empty. */
export const textsOf = (data: Readonly<Record<string, unknown>>) => {
  const { isReviewed, contract, ...texts } = fieldsOf(data);
  return { ...texts, due_date: '', reviewed: isReviewed ? 'on' : '', contract: JSON.stringify(contract) };
};
export type TaskTexts = ReturnType<typeof textsOf>;

/** Whether somebody typed something else than what the form began with. */
export const isChanged = (typed: TaskTexts, begun: TaskTexts): boolean =>
  Object.keys(begun).some((name) => {
    const key = name as keyof TaskTexts;
    return key !== 'due_date' && typed[key].trim() !== begun[key].trim();
  });

/** The task that a form describes. What is empty is left out, so that its project can say it. */
export function newTaskOf(form: FormData, contract: Record<string, unknown>): NewTask {
  const valueOf = (name: string) => textOf(form.get(name)).trim();
  const due = valueOf('due_date');
  const priority = priorities.find((one) => one === valueOf('priority'));
  const tags = valueOf('tags')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const all = form.get('reviewed') === 'on' ? { ...contract, review: { person: true } } : contract;
  return {
    title: valueOf('title'),
    description: textOf(form.get('description')),
    assigned_role: valueOf('assigned_role') || null,
    project: valueOf('project') || null,
    due_date: due === '' ? null : new Date(due).toISOString(),
    ...(priority && { priority }),
    ...(tags.length > 0 && { tags }),
    ...(Object.keys(all).length > 0 && { contract: all as NonNullable<NewTask['contract']> }),
  };
}

/** What a template keeps of it: a moment is of one task alone. */
export const templateOf = ({ due_date: _due, ...fields }: NewTask): Record<string, unknown> => fields;
