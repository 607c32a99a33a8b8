import type { History, HistoryEntry, UseCaseContext } from '@eas/db';
import { findSession, markFollowed, sessionKey } from '../../records/sessions/session.store.ts';
import { sessionAfter } from './session.read-model.ts';
import { assertTaskExists } from '../task.read-model.ts';

/** Streams read every 15 s at least, and a mark lasts for 45. */
const markEveryMs = 10_000;

/**
 * What agents say and do while they work on a task, by the numbers of the entries; 404 when the tenant has none of that
 * id. While it is read, its agents are asked to send entries at once.
 */
export async function followSession({ db, tenantId, clock }: UseCaseContext, taskId: string): Promise<History> {
  const scope = { db, tenantId };
  await assertTaskExists(scope, taskId);
  const { lastNumber } = await findSession(scope, taskId);
  let markedAtMs = -Infinity;

  async function readAfter(number: number, limit: number): Promise<HistoryEntry[]> {
    // Not for each new entry, since the agent writes the same row.
    if (clock.monotonicMs() - markedAtMs >= markEveryMs) {
      await markFollowed(scope, taskId);
      markedAtMs = clock.monotonicMs();
    }
    const entries = await sessionAfter(scope, taskId, number, limit);
    return entries.map((entry) => ({ number: entry.number, type: entry.kind, text: JSON.stringify(entry) }));
  }
  return { key: sessionKey(taskId), last: lastNumber, readAfter };
}
