import { endJob, saveJobError } from '@eas/bulk-jobs';
import type { Targets } from '@eas/platform-calls';
import type { OpenSourceHost } from '@eas/source-host';
import { type OpenPlatform, reconcileKind } from '@eas/task-platform';
import { openPullRequest } from './open-pull-request.ts';
import { postComment } from './post-comment.ts';
import { postReview } from './post-review.ts';
import { readChecks } from './read-checks.ts';
import { readPage } from './read-page.ts';
import { readTask } from './read-task.ts';
import { setStatus } from './set-status.ts';

type Apis = { openPlatform: OpenPlatform; openSourceHost: OpenSourceHost };

/** How calls of each kind are made, by the API of their system. */
export function createCallTargets({ openPlatform, openSourceHost }: Apis): Targets {
  const comment: Targets['comment'] = {
    request: ({ signal }, call, { token }) => postComment(openPlatform(token, signal), call),
  };
  return {
    task: { request: ({ signal }, call, { token }) => readTask(openPlatform(token, signal), call) },
    status: { request: (ctx, call, access) => setStatus(ctx, openPlatform(access.token, ctx.signal), call, access) },
    comment,
    question: comment,
    page: {
      request: (ctx, call, access) => readPage(ctx, openPlatform(access.token, ctx.signal), call, access),
      failed: (tx, id, error) => endJob(tx, reconcileKind, id, { status: 'failed', error }),
      delayed: (tx, id, error) => saveJobError(tx, reconcileKind, id, error),
    },
    pull_request: { request: ({ signal }, call, { token }) => openPullRequest(openSourceHost(token, signal), call) },
    review: { request: ({ signal }, call, { token }) => postReview(openSourceHost(token, signal), call) },
    checks: { request: ({ signal }, call, { token }) => readChecks(openSourceHost(token, signal), call) },
  };
}
