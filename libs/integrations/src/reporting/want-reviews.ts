import type { DbScope } from '@eas/db';
import { type GivenReview, readGivenReviews } from '@eas/tasks';
import type { NewCall } from '../calls/platform-call.ts';
import { numberedId } from '../source-host/pull-request.ts';
import { reviewTexts } from '../source-host/review-text.ts';
import { type OwnPullRequest, readOwnPullRequests } from '../source-host/own-pull-request.read-model.ts';
import type { SourceHostAccount } from './source-host-account.read-model.ts';

/** Calls that say the reviews of agents in the open pull requests of the tasks that these are about. */
export async function reviewCallsFor(
  scope: DbScope,
  taskIds: readonly string[],
  accounts: readonly SourceHostAccount[],
): Promise<NewCall[]> {
  const reviews = await readGivenReviews(scope, taskIds);
  if (reviews.length === 0) return [];
  const reviewed = [...new Set(reviews.map(({ reviewOf }) => reviewOf))];
  const all = (await readOwnPullRequests(scope, reviewed)).filter(({ integrationId }) =>
    accounts.some((account) => account.integrationId === integrationId),
  );
  return reviews.flatMap((review) => {
    const own = all.filter(({ taskId }) => taskId === review.reviewOf);
    return own.map((pullRequest) => callOf(partFor(review, pullRequest, own.length > 1), pullRequest));
  });
}

/** Of several repositories each is a folder, which the paths begin with. */
function partFor(review: GivenReview, { repository }: OwnPullRequest, isOneOfSeveral: boolean): GivenReview {
  if (!isOneOfSeveral) return review;
  const folder = `${repository.split('/').at(-1)}/`;
  const findings = review.findings.flatMap(({ path, ...finding }) =>
    path.startsWith(folder) ? [{ ...finding, path: path.slice(folder.length) }] : [],
  );
  return { ...review, findings };
}

const callOf = (review: GivenReview, { integrationId, repository, number, sha }: OwnPullRequest): NewCall => ({
  integrationId,
  kind: 'review',
  externalId: numberedId({ repository: repository.toLowerCase(), number }),
  key: review.id,
  payload: { taskId: review.reviewOf, review: { repository, number, sha, ...reviewTexts(review) } },
});
