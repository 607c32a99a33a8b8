import { AppError } from '@eas/core';
import type { History, UseCaseContext } from '@eas/db';
import { toTimelineItem } from '../records/timeline/timeline-item.ts';
import { lastTimelineSeq, timelineAfter } from './timeline.read-model.ts';

/** What happens to a task, by the numbers of its entries; 404 when the tenant has none of that id. */
export async function followTimeline({ db, tenantId }: UseCaseContext, taskId: string): Promise<History> {
  const scope = { db, tenantId };
  const last = await lastTimelineSeq(scope, taskId);
  if (last === undefined) throw new AppError('not_found', { message: 'The task does not exist.' });
  const readAfter: History['readAfter'] = async (number, limit) =>
    (await timelineAfter(scope, taskId, number, limit)).map((entry) => ({
      number: entry.seq,
      type: entry.kind,
      text: JSON.stringify(toTimelineItem(entry)),
    }));
  return { key: taskId, last, readAfter };
}
