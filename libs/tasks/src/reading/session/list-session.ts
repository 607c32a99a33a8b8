import type { SessionPage } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { findSession } from '../../records/sessions/session.store.ts';
import { sessionAfter } from './session.read-model.ts';
import { taskExists } from '../task.read-model.ts';

/** Bytes of entries after which a page ends. */
const maxBytes = 1_024 * 1_024;

/** A page of what agents said and did while they worked on a task; 404 when the tenant has none of that id. */
export async function listSession(
  ctx: UseCaseContext,
  { taskId, after, limit }: { taskId: string; after: number; limit: number },
): Promise<SessionPage> {
  if (!(await taskExists(ctx, taskId))) throw new AppError('not_found', { message: 'The task does not exist.' });
  const { lastNumber } = await findSession(ctx, taskId);
  const data = await sessionAfter(ctx, taskId, after, { limit, maxBytes });
  return { data, has_more: (data.at(-1)?.number ?? lastNumber) < lastNumber, last_number: lastNumber };
}
