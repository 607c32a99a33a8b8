import type { TimelineItem } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import type { NewTimelineEntry } from './timeline.store.ts';

/** An entry as stored. */
export type TimelineEntry = Omit<NewTimelineEntry, 'taskId'>;

/** Ids of a task's entries sort as their numbers do. */
const idDigits = 10;

export const entryIdSql = `lpad(seq::text, ${idDigits}, '0')`;

/** An entry as the timeline shows it. */
export function toTimelineItem({ seq, kind, at, actor, data }: TimelineEntry): TimelineItem {
  const id = String(seq).padStart(idDigits, '0');
  return { id, seq, type: kind, timestamp: formatTimestamp(at), actor, ...data } as TimelineItem;
}
