import { applyOwnPullRequest } from '../applying/apply-own-pull-request.ts';
import {
  type CallOutcome,
  type PlatformFailure,
  restOf,
  type TakenCall,
  type WantedPullRequest,
} from '@eas/platform-calls';
import { changesOf, type SourceHostClient, type SourceHostPullRequest } from '@eas/source-host';
import { nextStep } from './next-step.ts';

/**
 * Opens the pull request of a task's branch, or has the open one say what is new, and asks whether it can be merged: no
 * webhook says that. Each attempt that writes follows one
 * that looked for it: what an attempt did that was broken off is found.
 */
export async function openPullRequest(client: SourceHostClient, call: TakenCall): Promise<CallOutcome> {
  const { pullRequest: wanted, step } = call.payload;
  if (!wanted) return { kind: 'failed', reason: 'the call does not say what to open' };
  if (!step || step.attempt !== call.attempts) return lookUp(client, call, wanted);
  const { attempt: _attempt, number, looks, ...changes } = step;
  if (number === null) return create(client, call, wanted);
  if (looks !== undefined) return askMergeable(client, call, wanted, { number, looks });
  return change(client, call, wanted, { number, changes });
}

async function lookUp(client: SourceHostClient, call: TakenCall, wanted: WantedPullRequest): Promise<CallOutcome> {
  const { repository, branch, sha } = wanted;
  const response = await client.findPullRequests(repository, branch);
  if (response.kind !== 'ok') return failed(response, wanted);
  const open = response.value.find(({ state }) => state === 'open');
  if (open) {
    const { number } = open;
    const changes = changesOf({ title: open.title, body: open.body ?? '' }, wanted);
    return nextStep(call, response, Object.keys(changes).length > 0 ? { number, ...changes } : { number, looks: 0 });
  }
  // What a person has merged or closed is not opened again for the same commit.
  const ended = response.value.find(({ head }) => sha !== null && head.sha === sha);
  return ended ? done(call, response, ended) : nextStep(call, response, { number: null });
}

async function create(client: SourceHostClient, call: TakenCall, wanted: WantedPullRequest): Promise<CallOutcome> {
  const { repository, title, text, branch, baseBranch } = wanted;
  const response = await client.createPullRequest(repository, { title, body: text, head: branch, base: baseBranch });
  if (response.kind === 'ok') return written(call, response, response.value);
  // Someone else was faster: it is found the next time.
  const isThere = response.kind === 'refused' && /already exists/i.test(response.reason);
  return failed(isThere ? { kind: 'unavailable', reason: response.reason } : response, wanted);
}

/** The source host tries to merge it when it is asked, and knows some seconds later. */
const [maxLooks, lookMs] = [4, 5_000];

async function askMergeable(
  client: SourceHostClient,
  call: TakenCall,
  wanted: WantedPullRequest,
  { number, looks }: { number: number; looks: number },
): Promise<CallOutcome> {
  const response = await client.getPullRequest(wanted.repository, number);
  if (response.kind !== 'ok') return failed(response, wanted);
  const isKnown = typeof response.value.mergeable === 'boolean' || response.value.state !== 'open';
  if (isKnown || looks + 1 >= maxLooks) return done(call, response, response.value);
  return { ...nextStep(call, response, { number, looks: looks + 1 }), afterMs: lookMs };
}

type Changed = { number: number; changes: { title?: string; body?: string } };

async function change(
  client: SourceHostClient,
  call: TakenCall,
  wanted: WantedPullRequest,
  { number, changes }: Changed,
): Promise<CallOutcome> {
  const response = await client.changePullRequest(wanted.repository, number, changes);
  return response.kind === 'ok' ? written(call, response, response.value) : failed(response, wanted);
}

type Rest = { restUntil?: number };

/** What it is now is applied at once; whether it can be merged is not known yet. */
const written = (call: TakenCall, rest: Rest, shown: SourceHostPullRequest): CallOutcome => ({
  ...nextStep(call, rest, { number: shown.number, looks: 0 }),
  afterMs: lookMs,
  apply: (ctx) => applyOwnPullRequest(ctx, call.integrationId, shown),
});

const done = ({ integrationId }: TakenCall, rest: Rest, shown: SourceHostPullRequest): CallOutcome => ({
  kind: 'done',
  result: { id: String(shown.number), date: null },
  apply: (ctx) => applyOwnPullRequest(ctx, integrationId, shown),
  ...restOf(rest),
});

/** What a person can do about it. */
function failed(failure: PlatformFailure & Rest, { repository }: WantedPullRequest): CallOutcome {
  const advice = {
    gone: `Check that ${repository} exists under this name, and that the token may see it.`,
    denied: `Give the integration a token that may read contents and write pull requests of ${repository}.`,
  };
  const said = failure.kind === 'gone' || failure.kind === 'denied' ? `. ${advice[failure.kind]}` : '';
  return { kind: 'response', failure: { ...failure, reason: `${failure.reason}${said}` }, ...restOf(failure) };
}
