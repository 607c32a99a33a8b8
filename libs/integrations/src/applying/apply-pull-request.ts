import type { PullRequestEvent } from '@eas/contracts';
import { append, type UseCaseContext } from '@eas/db';
import { taskExists } from '@eas/tasks';
import type { Applied } from '../inbound/inbound-event.ts';
import type { ReadReceipt } from './read-receipt.ts';
import { namedTaskIds, pullRequestData } from '../source-host/pull-request.ts';

/** Publishes an opened pull request, with the task that its branch, title or description names. */
export async function applyPullRequest(
  ctx: UseCaseContext,
  { receipt, body }: Extract<ReadReceipt, { kind: 'pull request' }>,
): Promise<Applied> {
  const data = pullRequestData(body, await findNamedTask(ctx, body));
  await ctx.inTransaction(async (tx) => append(tx, { type: 'pr.opened', at: receipt.receivedAt, data, facts: null }));
  return { status: 'applied', outcome: 'reported as pr.opened' };
}

async function findNamedTask(ctx: UseCaseContext, body: PullRequestEvent): Promise<string | null> {
  for (const id of namedTaskIds(body)) if (await taskExists(ctx, id)) return id;
  return null;
}
