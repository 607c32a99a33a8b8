// Submitted work that is sent back: the findings reach the session in which it was done.
import { execFileSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import type { Json } from './api.ts';
import type { Arena, Work } from './arena.ts';
import { pushedFile } from './remote.ts';
import { assertSo, type Ending, isOver, tracesOf } from './ways.ts';

/** A source host that reports red checks for the pushed commit. */
export async function redChecks(arena: Arena, { seconds }: Ending): Promise<string> {
  const work = await arena.addWork('checked');
  const [repository = ''] = work.repositories;
  const send = await connectSourceHost(arena);
  arena.startRunner(work);
  await untilCompleted(arena, work, seconds);
  assertPushed(work, 'first-words');
  const branch = `task/${work.task.id}`;
  const head_sha = execFileSync('git', ['-C', repository, 'rev-parse', branch], { encoding: 'utf8' }).trim();
  await send('pull_request', {
    action: 'opened',
    number: 1,
    pull_request: { ...shown, head: { ref: branch, sha: head_sha } },
  });
  const suite = { id: 1, head_sha, conclusion: 'failure', app: { name: 'ci' }, pull_requests: [{ number: 1 }] };
  await send('check_suite', { action: 'completed', check_suite: suite });
  const isSentBack = (now: Json) => now.rework_rounds === 1;
  await arena.untilTask(work, isSentBack, seconds);
  await untilCompleted(arena, work, seconds);
  assertPushed(work, 'better-words');
  return 'red checks, completed again';
}

/** An agent that reviews: it rejects the first attempt with a finding, and approves the second one. */
export async function reviewed(arena: Arena, { seconds }: Ending): Promise<string> {
  const reviewer = `${arena.agent}-reviewer`;
  const work = await arena.addWork('reviewed', { contract: { review: { role: reviewer } } });
  arena.startRunner(work);
  await arena.untilTask(work, ({ status }) => status === 'in_review' || status === 'failed', seconds);
  arena.startRunner({ ...work, role: reviewer });
  await untilCompleted(arena, work, seconds);
  assertPushed(work, 'better-words');
  const { data } = await arena.get(`/v1/tasks?assigned_role=${reviewer}&sort=created_at`);
  const reviews = await Promise.all(data.map(({ id }: Json) => arena.get(`/v1/tasks/${id}`)));
  const decisions = reviews.map(({ result }: Json) => result?.decision);
  assertSo(decisions.join() === 'reject,approve', `the reviews are ${JSON.stringify(decisions)}`);
  return 'rejected, approved';
}

const untilCompleted = async (arena: Arena, work: Work, seconds: number): Promise<void> => {
  const { status } = await arena.untilTask(work, isOver, seconds);
  assertSo(status === 'completed', `the task is ${status}: ${await tracesOf(arena, work)}`);
};

function assertPushed({ repositories: [repository = ''], task }: Work, text: string): void {
  const pushed = pushedFile(repository, task.id);
  assertSo(pushed === text, `hello.txt has ${pushed}`);
}

const shown = {
  title: 'Say hello',
  html_url: 'https://github.com/acme/web/pull/1',
  user: { login: 'ada' },
  state: 'open',
};

/** Gives what sends a webhook of the source host. */
async function connectSourceHost({ agent, call }: Arena) {
  const secret = randomBytes(24).toString('hex');
  const made = await call('POST', '/v1/integrations', { type: 'github', org_name: `acme-${agent}`, secret });
  assertSo(made.status === 201, `the source host was not connected: ${JSON.stringify(made.body)}`);
  return async (event: string, data: object): Promise<void> => {
    const body = JSON.stringify({ ...data, repository: { full_name: `acme-${agent}/web` }, sender: { login: 'ada' } });
    const response = await fetch(made.body.inbound_url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-github-event': event,
        'x-github-delivery': randomBytes(8).toString('hex'),
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      },
    });
    assertSo(response.ok, `the webhook was refused: ${response.status} ${await response.text()}`);
  };
}
