import { type PullRequestEvent, pullRequestEvent } from '@eas/contracts';
import { newId } from '@eas/core';
import { describe, expect, it } from '@jest/globals';
import { octokitExamples } from '../../test/octokit-examples.ts';
import { namedTaskIds, pullRequestData } from './pull-request.ts';

const opened = octokitExamples('pull_request').filter(({ action }) => action === 'opened');

describe('pull requests', () => {
  it('takes every opened pull request that GitHub shows as an example', () => {
    expect(opened.length).toBeGreaterThan(2);
    for (const example of opened) expect(pullRequestEvent.safeParse(example).error).toBeUndefined();
  });

  it('has repository, number, title, url, author and branch', () => {
    expect(pullRequestData(opened[0] as never, null)).toEqual({
      repository: 'Codertocat/Hello-World',
      number: 2,
      title: 'Update the README with new information.',
      url: 'https://github.com/Codertocat/Hello-World/pull/2',
      author: 'Codertocat',
      branch: 'changes',
      task_id: null,
    });
  });

  it('finds ids of tasks in branch, title and description', () => {
    const [a, b] = [newId('task'), newId('task')];
    const example = opened[0] as unknown as PullRequestEvent;
    const pullRequest = {
      ...example.pull_request,
      head: { ref: `fix/${a}-x` },
      title: 'x',
      body: `see ${b}, ${a}, tsk_1`,
    };
    expect(namedTaskIds({ ...example, pull_request: pullRequest })).toEqual([a, b]);
  });
});
