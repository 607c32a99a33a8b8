import type { Input, TaskSummary } from '../resources/task-queries.ts';

export type WaitingItem = {
  id: string;
  kind: Input['kind'] | 'review';
  title: string;
  since: string;
};

/** The oldest items that wait, and their total. */
export type OldestOf<T> = { data: readonly T[]; total: number };

/** Items that wait for a person, oldest first, up to the point where one of the incomplete lists ends. */
export function waitingItems(inputs: OldestOf<Input>, reviews: OldestOf<TaskSummary>): WaitingItem[] {
  const asked = inputs.data.map(({ id, kind, prompt, created_at: since }) => ({
    id,
    kind,
    title: firstLine(prompt),
    since,
  }));
  const toReview = reviews.data.map(({ id, title, review_since, created_at }) => ({
    id,
    kind: 'review' as const,
    title,
    since: review_since ?? created_at,
  }));
  const ends = [asked.length < inputs.total && asked.at(-1), toReview.length < reviews.total && toReview.at(-1)];
  return [...asked, ...toReview]
    .filter(({ since }) => ends.every((end) => !end || since <= end.since))
    .sort((left, right) => left.since.localeCompare(right.since));
}

const maxTitle = 140;

export function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length > maxTitle ? `${line.slice(0, maxTitle)}…` : line;
}

/** The item `by` places further, clamped to both ends; the first one if `id` is not in the list. */
export function neighbour(items: readonly WaitingItem[], id: string | undefined, by: number): WaitingItem | undefined {
  const at = items.findIndex((item) => item.id === id);
  if (at < 0) return items[0];
  return items[Math.min(items.length - 1, Math.max(0, at + by))];
}
