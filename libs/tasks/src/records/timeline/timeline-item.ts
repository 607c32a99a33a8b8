import type { TimelineItem } from '@eas/contracts';
import { type StoredEntry, timelineItem } from '@eas/db';

/** An entry as stored. */
export type TimelineEntry = StoredEntry<TimelineItem['type']>;

/** An entry as the timeline shows it. */
export const toTimelineItem = timelineItem<TimelineItem>;
