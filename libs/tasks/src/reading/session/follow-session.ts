import { AppError } from '@eas/core';
import type { History, HistoryEntry, UseCaseContext } from '@eas/db';
import { findSession, markFollowed, sessionKey } from '../../records/sessions/session.store.ts';
import { sessionAfter } from './session.read-model.ts';
import { taskExists } from '../task.read-model.ts';

/**
 * What agents say and do while they work on a task, by the numbers of the entries; 404 when the tenant has none of that id.
 * As long as it is read its agents are asked to send entries at once.
 */
export async function followSession({ db, tenantId }: UseCaseContext, taskId: string): Promise<History> {
  const scope = { db, tenantId };
  if (!(await taskExists(scope, taskId))) throw new AppError('not_found', { message: 'The task does not exist.' });
  const { lastNumber } = await findSession(scope, taskId);

  async function readAfter(number: number, limit: number): Promise<HistoryEntry[]> {
    await markFollowed(scope, taskId);
    const entries = await sessionAfter(scope, taskId, number, { limit });
    return entries.map((entry) => ({ number: entry.number, type: entry.kind, text: JSON.stringify(entry) }));
  }
  return { key: sessionKey(taskId), last: lastNumber, readAfter };
}
