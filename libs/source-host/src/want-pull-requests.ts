import type { StoredEvent } from '@eas/contracts';
import { isId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { type PushedWork, readGivenReviews, readPushedWork } from '@eas/tasks';
import { type NewCall, wantCalls, wantPullRequests as wantPullRequestCalls } from '@eas/platform-calls';
import { isListed } from '@eas/integrations';
import { ownBranchOf } from './pull-requests/pull-request.ts';
import { reviewCallsOf } from './pull-requests/review-calls.ts';
import { pullRequestText, pullRequestTitle } from './pull-requests/pull-request-text.ts';
import { readSourceHostAccounts, type SourceHostAccount } from './source-host-account.read-model.ts';

/** Tasks whose artifacts are read at a time. */
const chunk = 20;

/**
 * Consumer `pull_request.open`: a result of an agent, completed or in review, whose branch was pushed to a repository of
 * an integration with a token gets a pull request, and what an agent reviewed is said there. `host`: where the repositories
 * are whose API can be called.
 */
export async function wantPullRequests(
  ctx: UseCaseContext,
  events: readonly StoredEvent[],
  host: string,
): Promise<void> {
  const newest = new Map(events.flatMap(resultsOf).sort(([, a], [, b]) => (a < b ? -1 : 1)));
  const accounts = newest.size > 0 ? await readSourceHostAccounts(ctx) : [];
  if (accounts.length === 0) return;
  const isCallable = (id: string) => accounts.some(({ integrationId }) => integrationId === id);
  const taskIds = [...newest.keys()].sort();
  const [calls, reviews]: [NewCall[], NewCall[]] = [[], []];
  for (let from = 0; from < taskIds.length; from += chunk) {
    const some = taskIds.slice(from, from + chunk);
    for (const work of await readPushedWork(ctx, some)) {
      const account = work.repository.host === host ? accountOf(accounts, work) : undefined;
      if (account) calls.push(callOf(account, work, newest.get(work.taskId) ?? ''));
    }
    reviews.push(...(await reviewCallsOf(ctx, await readGivenReviews(ctx, some), isCallable)));
  }
  await ctx.inTransaction(async (tx) => {
    await wantPullRequestCalls(tx, calls);
    await wantCalls(tx, reviews);
  });
}

function resultsOf({ type, data, eventId }: StoredEvent): [taskId: string, eventId: string][] {
  const isResult =
    (type === 'task.completed' && isId('agent', data.completed_by)) ||
    (type === 'task.updated' && data.to === 'in_review');
  return isResult ? [[data.task_id, eventId]] : [];
}

function accountOf(accounts: readonly SourceHostAccount[], work: PushedWork): SourceHostAccount | undefined {
  const { repository, branch, taskId } = work;
  const [owner = '', name = '', ...more] = repository.name.split('/');
  if (branch !== ownBranchOf(taskId) || name === '' || more.length > 0) return undefined;
  return accounts.find(
    (account) => account.owner === owner.toLowerCase() && isListed(account.repositories, repository.name),
  );
}

function callOf({ integrationId }: SourceHostAccount, work: PushedWork, eventId: string): NewCall {
  const { taskId, title, branch, baseBranch, sha } = work;
  const repository = work.repository.name;
  const pullRequest = { eventId, repository, branch, baseBranch, sha, title: pullRequestTitle(title) };
  return {
    integrationId,
    kind: 'pull_request',
    externalId: repository.toLowerCase(),
    key: taskId,
    payload: { taskId, pullRequest: { ...pullRequest, text: pullRequestText(work) } },
  };
}
