import type { RunTimelineItem } from '@eas/contracts';
import { type StoredEntry, timelineItem } from '@eas/db';

export type RunTimelineEntry = StoredEntry<RunTimelineItem['type']>;

export const toRunTimelineItem = timelineItem<RunTimelineItem>;
