import type { Schemas } from '../api/client.ts';

export type Entry = Schemas['RunTimelineEntry'];

const words: Readonly<Record<string, string>> = {
  started: 'Started',
  step_started: 'Step started',
  step_awaiting_approval: 'Waits for approval',
  step_approved: 'Approved',
  step_rejected: 'Rejected',
  step_completed: 'Step completed',
  step_failed: 'Step failed',
  step_skipped: 'Step skipped',
  step_cancelled: 'Step cancelled',
  paused: 'Paused',
  resumed: 'Resumed',
  retried: 'Retried',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

/** New kinds of entries are shown by their name. */
export const wordsOf = ({ type }: Entry): string => words[type] ?? type;

/** The comment or reason of an entry; '' if there is none. */
export function detailOf(entry: Entry): string {
  const texts = ['comment' in entry ? entry.comment : undefined, 'reason' in entry ? entry.reason : undefined];
  return texts.filter((text) => typeof text === 'string' && text !== '').join('\n');
}
