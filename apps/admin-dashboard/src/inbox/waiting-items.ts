import type { Input, TaskSummary } from '../work/task-queries.ts';

export type WaitingItem = {
  id: string;
  kind: 'question' | 'choice' | 'approval' | 'review';
  title: string;
  since: string;
};

/** What waits for a person, oldest first. */
export function waitingItems(inputs: readonly Input[], reviews: readonly TaskSummary[]): WaitingItem[] {
  const asked = inputs.map(({ id, kind, prompt, created_at: since }) => ({
    id,
    kind,
    title: firstLine(prompt),
    since,
  }));
  const toReview = reviews.map(({ id, title, review_since, created_at }) => ({
    id,
    kind: 'review' as const,
    title,
    since: review_since ?? created_at,
  }));
  return [...asked, ...toReview].sort((left, right) => left.since.localeCompare(right.since));
}

const maxTitle = 140;

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length > maxTitle ? `${line.slice(0, maxTitle)}…` : line;
}

/** The item so many places further, without going over either end; the first one if `id` is not among them. */
export function neighbour(items: readonly WaitingItem[], id: string | undefined, by: number): WaitingItem | undefined {
  const at = items.findIndex((item) => item.id === id);
  if (at < 0) return items[0];
  return items[Math.min(items.length - 1, Math.max(0, at + by))];
}
