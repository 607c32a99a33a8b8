import type { History, UseCaseContext } from '@eas/db';
import { noSuchRun } from '../records/no-such-run.ts';
import { toRunTimelineItem } from './run-timeline-item.ts';
import { lastRunTimelineSeq, runTimelineAfter } from './run-timeline.read-model.ts';

/** What happens to a run, by the numbers of its entries; 404 when the tenant has none of that id. */
export async function followRun({ db, tenantId }: UseCaseContext, runId: string): Promise<History> {
  const scope = { db, tenantId };
  const last = await lastRunTimelineSeq(scope, runId);
  if (last === undefined) throw noSuchRun();
  const readAfter: History['readAfter'] = async (number, limit) =>
    (await runTimelineAfter(scope, runId, number, limit)).map((entry) => ({
      number: entry.seq,
      type: entry.kind,
      text: JSON.stringify(toRunTimelineItem(entry)),
    }));
  return { key: runId, last, readAfter };
}
