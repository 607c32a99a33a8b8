import type { Page, PageOfItems, TimelineItem } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { assertTaskExists } from './task.read-model.ts';
import { toTimelineItem } from '../records/timeline/timeline-item.ts';
import { pageTimeline, type TimelineFilter } from './timeline.read-model.ts';

/** A page of what happened to a task; 404 when the tenant has none of that id. */
export async function listTimeline(
  ctx: UseCaseContext,
  taskId: string,
  filter: TimelineFilter,
  page: Page,
): Promise<PageOfItems<TimelineItem>> {
  await assertTaskExists(ctx, taskId);
  const { items, ...rest } = await pageTimeline(ctx, taskId, filter, page);
  return { items: items.map(toTimelineItem), ...rest };
}
