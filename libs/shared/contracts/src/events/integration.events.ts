import { z } from 'zod';
import { exampleId, exampleTime } from '../fields.ts';
import { address, defineEvents, eventData, id, name, text, timestamp, word } from './event.ts';

const pullRequest = {
  repository: text('The repository, with its owner.'),
  number: z.int().min(1).max(2_147_483_647).describe('Number of the pull request.'),
  title: text('Title of the pull request.'),
  url: address('Where the pull request is.'),
  author: text('Who opened it, as the source host names them.'),
  branch: text('The branch to merge.'),
  task_id: id('The task that the pull request names. null: none.').nullable(),
};

const example = {
  repository: 'acme/web',
  number: 42,
  title: 'Limit failed logins',
  url: 'https://git.example.com/acme/web/pull/42',
  author: 'ada',
  branch: 'fix/login',
  task_id: exampleId('tsk'),
};

const exampleSha = '9fceb02d0ae598e95dc970b74767f19372d61af8';
const headSha = text('The newest commit of the branch, as far as it was given.').nullable();

/** An event about a pull request: with these fields and some of its own. */
const pullRequestEvent = <S extends z.ZodRawShape>(
  description: string,
  shape: S,
  more: { [K in keyof S]: unknown },
) => ({
  visibility: 'public' as const,
  data: eventData(description, { ...pullRequest, ...shape }, { ...example, ...more }),
  facts: null,
});

export const integrationEvents = defineEvents({
  'inbound.received': { visibility: 'internal', data: z.object({ inbound_event_id: z.string() }), facts: null },
  /** A person wrote a comment on the platform where an agent had asked something. */
  'platform.replied': {
    visibility: 'internal',
    data: z.object({
      integration_id: z.string(),
      external_id: z.string(),
      author: z.string(),
      text: z.string(),
      parent_id: z.string().nullable(),
      at: z.int(),
    }),
    facts: null,
  },
  'pr.opened': pullRequestEvent('A pull request was opened in a connected repository.', {}, {}),
  'pr.updated': pullRequestEvent(
    'A pull request got new commits, was edited, marked as ready for review, or reopened.',
    {
      action: word(
        'What happened: synchronize (new commits), edited, ready_for_review or reopened. New values can be added.',
      ),
      head_sha: headSha,
    },
    { action: 'synchronize', head_sha: exampleSha },
  ),
  'pr.merged': pullRequestEvent('A pull request was merged.', {}, {}),
  'pr.closed': pullRequestEvent('A pull request was closed without being merged.', {}, {}),
  'pr.reviewed': pullRequestEvent(
    'A review of a pull request was submitted, or dismissed.',
    {
      review: word('approved, changes_requested, commented or dismissed. New values can be added.'),
      reviewer: name('Who reviewed it, as the source host names them.'),
      review_url: address('Where the review is.').nullable(),
    },
    { review: 'approved', reviewer: 'grace', review_url: `${example.url}#review-1` },
  ),
  'pr.checks': pullRequestEvent(
    'Checks of a pull request that is linked to a task were completed: one event for each result of a suite.',
    {
      head_sha: text('The commit that was checked.'),
      suite: word('ID of the suite of checks on the source host.'),
      check: name('Name of the workflow, or of the app that ran the checks.'),
      conclusion: word(
        'success, failure, neutral, cancelled, skipped, timed_out, action_required, stale or startup_failure. New values can be added.',
      ),
      check_url: address('Where the result is.').nullable(),
      completed_at: timestamp('When the checks were completed. Events can arrive in another order.'),
    },
    {
      head_sha: exampleSha,
      suite: '118578147',
      check: 'CI',
      conclusion: 'success',
      check_url: null,
      completed_at: exampleTime,
    },
  ),
});
