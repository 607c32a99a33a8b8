import type { DbScope } from '@eas/db';
import type { GivenReview } from '@eas/tasks';
import type { NewCall } from '@eas/platform-calls';
import { type OwnPullRequest, readOwnPullRequests } from './own-pull-request.read-model.ts';
import { numberedId } from './pull-request.ts';
import { reviewTexts } from './review-text.ts';

/** Calls that say reviews of agents in the open pull requests of the tasks that these are about. */
export async function reviewCallsOf(
  scope: DbScope,
  reviews: readonly GivenReview[],
  isCallable: (integrationId: string) => boolean,
): Promise<NewCall[]> {
  if (reviews.length === 0) return [];
  const reviewed = [...new Set(reviews.map(({ reviewOf }) => reviewOf))];
  const all = (await readOwnPullRequests(scope, reviewed)).filter((own) => isCallable(own.integrationId));
  return reviews.flatMap((review) => {
    const own = all.filter(({ taskId }) => taskId === review.reviewOf);
    return own.map((pullRequest) => callOf(partFor(review, pullRequest, own.length === 1), pullRequest));
  });
}

/** Of several repositories each is a folder, which the paths begin with; a task that names one repository has no such folder. */
function partFor(review: GivenReview, { repository }: OwnPullRequest, isAlone: boolean): GivenReview {
  if (!review.isOfSeveral) return review;
  const folder = `${repository.split('/').at(-1)}/`;
  const findings = review.findings.flatMap(({ path, ...finding }) =>
    path.startsWith(folder) ? [{ ...finding, path: path.slice(folder.length) }] : isAlone ? [{ ...finding, path }] : [],
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
