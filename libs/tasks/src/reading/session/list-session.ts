import type { SessionPage } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { findSession } from '../../records/sessions/session.store.ts';
import { sessionAfter } from './session.read-model.ts';
import { assertTaskExists } from '../task.read-model.ts';

/** A page of what agents said and did while they worked on a task; 404 when the tenant has none of that id. */
export async function listSession(
  ctx: UseCaseContext,
  { taskId, after, limit }: { taskId: string; after: number; limit: number },
): Promise<SessionPage> {
  await assertTaskExists(ctx, taskId);
  const { lastNumber } = await findSession(ctx, taskId);
  const data = await sessionAfter(ctx, taskId, after, limit);
  return { data, has_more: (data.at(-1)?.number ?? lastNumber) < lastNumber, last_number: lastNumber };
}
