import { type PullRequestEvent, pullRequestEvent } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { octokitExamples } from '../../test/octokit-examples.ts';
import { newerOf, readShown, type ShownPullRequest, type SuiteResult, withResult } from './pull-request.ts';

const examples = octokitExamples('pull_request') as unknown as PullRequestEvent[];
const at = new Date('2026-11-20T10:00:00Z');

describe('pull requests', () => {
  it('takes every pull request that GitHub shows as an example', () => {
    expect(examples.length).toBeGreaterThan(20);
    for (const example of examples) expect(pullRequestEvent.safeParse(example).error).toBeUndefined();
  });

  it('reads title, url, author, branch, commit, state and the date of the source host', () => {
    expect(readShown(examples[0] as PullRequestEvent, at)).toEqual({
      at: Date.parse('2019-05-15T15:20:33Z'),
      state: 'open',
      title: 'Update the README with new information.',
      url: 'https://github.com/Codertocat/Hello-World/pull/2',
      author: 'Codertocat',
      branch: 'changes',
      headSha: 'ec26c3e57ca3a959ca5aad62de7213c562f8c821',
      base: 'master',
      hasConflict: null,
      isFork: false,
    });
  });

  it.each([
    [{ state: 'closed' }, 'closed'],
    [{ state: 'closed', merged: true }, 'merged'],
    [{ state: 'closed', merged_at: '2026-11-20T10:00:00Z' }, 'merged'],
    [{ state: null }, 'open'],
  ])('%j is %s', (over, state) => {
    const [example] = examples as [PullRequestEvent];
    const pullRequest = { ...example.pull_request, ...over, updated_at: null, user: null };
    expect(readShown({ ...example, pull_request: pullRequest }, at)).toMatchObject({
      state,
      at: at.getTime(),
      author: 'ghost',
    });
  });

  const shown = fc.record<ShownPullRequest>({
    at: fc.nat(2),
    state: fc.constantFrom('open', 'closed', 'merged'),
    title: fc.constantFrom('a', 'b'),
    url: fc.constant('u'),
    author: fc.constant('x'),
    branch: fc.constant('c'),
    headSha: fc.constantFrom(null, 's'),
    base: fc.constantFrom(null, 'main'),
    hasConflict: fc.constantFrom(null, false, true),
    isFork: fc.constant(false),
  });

  it('ends as the same one in any order, also when dates are equal', () => {
    const inTwoOrders = fc
      .array(shown, { minLength: 1, maxLength: 6 })
      .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
    const endOf = (list: ShownPullRequest[]) => list.reduce<ShownPullRequest | null>(newerOf, null);
    fc.assert(fc.property(inTwoOrders, ([one, other]) => expect(endOf(other)).toEqual(endOf(one))));
  });

  const result = (n: number, conclusion = 'success'): SuiteResult => ({ at: n, sha: 's', check: 'CI', conclusion });

  it('keeps the newest result of each suite, and of 50 suites', () => {
    const both = withResult(withResult({}, 'a', result(2)), 'a', result(1, 'failure'));
    expect(both).toEqual({ a: result(2) });
    const many = Array.from({ length: 60 }, (_, n) => n).reduce((all, n) => withResult(all, `s${n}`, result(n)), {});
    expect(Object.keys(many)).toHaveLength(50);
    expect(many).not.toHaveProperty('s9');
  });

  it('keeps the attempt of a result, which one of its two events says, in whatever order they come', () => {
    const [ofWorkflow, ofSuite] = [{ ...result(1, 'failure'), attempt: 2 }, result(2, 'failure')];
    const newest = { a: { ...ofSuite, attempt: 2 } };
    expect(withResult(withResult({}, 'a', ofWorkflow), 'a', ofSuite)).toEqual(newest);
    expect(withResult(withResult({}, 'a', ofSuite), 'a', ofWorkflow)).toEqual(newest);
  });
});
