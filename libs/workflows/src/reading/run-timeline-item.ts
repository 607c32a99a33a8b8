import type { RunTimelineItem } from '@eas/contracts';
import { type StoredEntry, timelineItem } from '@eas/db';

/** An entry as stored. */
export type RunTimelineEntry = StoredEntry<RunTimelineItem['type']>;

/** An entry as the timeline shows it. */
export const toRunTimelineItem = timelineItem<RunTimelineItem>;
