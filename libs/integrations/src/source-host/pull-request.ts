import type { EventData, PullRequestEvent } from '@eas/contracts';
import { isId } from '@eas/core';

/** The pull request as one text: "org/repository#7". */
export function pullRequestId({ repository, number }: PullRequestEvent): string {
  return `${repository.full_name}#${number}`;
}

/** Ids of tasks that branch, title or description name, in that order. */
export function namedTaskIds({ pull_request: pullRequest }: PullRequestEvent): string[] {
  const text = `${pullRequest.head.ref} ${pullRequest.title} ${pullRequest.body ?? ''}`.toLowerCase();
  const ids = (text.match(/tsk_[0-9a-z]{26}/g) ?? []).filter((id) => isId('task', id));
  return [...new Set(ids)].slice(0, 20);
}

/** As for the titles of tasks. */
const maxTitle = 500;

export function pullRequestData(body: PullRequestEvent, taskId: string | null): EventData<'pr.opened'> {
  const { number, pull_request: pullRequest, repository } = body;
  return {
    repository: repository.full_name,
    number,
    title: pullRequest.title.slice(0, maxTitle).toWellFormed(),
    url: pullRequest.html_url,
    // A deleted account has no login any more.
    author: pullRequest.user?.login ?? 'ghost',
    branch: pullRequest.head.ref,
    task_id: taskId,
  };
}
