import type { Schemas } from '../api/client.ts';
import { priorities } from '../resources/task-words.ts';

type NewTask = Schemas['CreateTask'];

/** The initial values of the form. */
export type TaskFields = {
  title: string;
  description: string;
  assigned_role: string;
  project: string;
  priority: string;
  tags: string;
  isReviewed: boolean;
  /** The contract of a template without the review. */
  contract: Record<string, unknown>;
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** Reads a template and ignores unknown fields. */
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

/** The same as texts of the form. A due date is for one task only, so `due_date` is empty. */
export const textsOf = (data: Readonly<Record<string, unknown>>) => {
  const { isReviewed, contract, ...texts } = fieldsOf(data);
  return { ...texts, due_date: '', reviewed: isReviewed ? 'on' : '', contract: JSON.stringify(contract) };
};
export type TaskTexts = ReturnType<typeof textsOf>;

/** Whether the form differs from its initial values. */
export const isChanged = (typed: TaskTexts, begun: TaskTexts): boolean =>
  Object.keys(begun).some((name) => {
    const key = name as keyof TaskTexts;
    return key !== 'due_date' && typed[key].trim() !== begun[key].trim();
  });

/** The task that a form describes. Empty fields are left out, for the defaults of its project. */
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

/** What a template stores of it: a due date is for one task only. */
export const templateOf = ({ due_date: _due, ...fields }: NewTask): Record<string, unknown> => fields;
