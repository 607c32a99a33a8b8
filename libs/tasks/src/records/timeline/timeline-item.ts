import type { TimelineItem } from '@eas/contracts';
import { type StoredEntry, timelineItem } from '@eas/db';

export type TimelineEntry = StoredEntry<TimelineItem['type']>;

export const toTimelineItem = timelineItem<TimelineItem>;
