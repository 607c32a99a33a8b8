import type { Page, PageOfItems, RunTimelineItem } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { noSuchRun } from '../records/no-such-run.ts';
import { toRunTimelineItem } from './run-timeline-item.ts';
import { lastRunTimelineSeq, pageRunTimeline, type RunTimelineFilter } from './run-timeline.read-model.ts';

/** A page of what happened to a run; 404 when the tenant has none of that id. */
export async function listRunTimeline(
  ctx: UseCaseContext,
  runId: string,
  filter: RunTimelineFilter,
  page: Page,
): Promise<PageOfItems<RunTimelineItem>> {
  if ((await lastRunTimelineSeq(ctx, runId)) === undefined) throw noSuchRun();
  const { items, ...rest } = await pageRunTimeline(ctx, runId, filter, page);
  return { items: items.map(toRunTimelineItem), ...rest };
}
