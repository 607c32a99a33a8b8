import { setTimeout as sleep } from 'node:timers/promises';
import { agentDetail, taskDetail, taskResource } from '@eas/contracts';
import { z } from 'zod';
import { type ScriptedAgent, startAgent, type Work } from './agent.ts';
import type { Api } from './api.ts';
import { awaitGrowth, type Figures, isSame, readFigures } from './figures.ts';
import { connectPlatform, type Platform } from './platform.ts';
import { median, milliseconds, say, table } from './print.ts';
import { playRelease } from './release.ts';
import { openPullRequest } from './source-host.ts';
import { type Received, startSubscriber, type Subscriber } from './subscriber.ts';
import type { System } from './system.ts';
import type { Verdict } from './verdict.ts';

type Followed = { label: string; taskId: string; calledAt: number; acceptedAt: number };

/** For hangs alone. */
const stageTimeoutMs = 60_000;

export async function play({ baseUrl }: System, api: Api, verdict: Verdict): Promise<void> {
  const subscriber = await startSubscriber();
  const roles = ['rd', 'qa', 'pm'];
  const before = await readFigures(api, roles);
  const { url, secret } = subscriber;
  const events = ['task.*', 'pr.*', 'workflow.*'];
  await api.post('/v1/webhooks', { url, secret, events }, z.looseObject({ id: z.string() }));
  const platform = await connectPlatform(api);
  const agents = await startAgents(api);
  say(`webhook registered, platform connected, ${agents.length} agents wait for work at ${baseUrl}`);
  try {
    const followed = await bringWork(api, platform, subscriber, roles, verdict);
    const works = await awaitWork(followed, agents, subscriber, verdict);
    sayTimes(followed, works, subscriber);
    await sendOthers(platform, verdict);
    await checkPullRequest(api, subscriber, verdict);
    await checkTasks(api, followed, works, verdict);
    const { steps } = await playRelease(api, agents, subscriber, verdict);
    await checkAgents(api, agents, verdict);
    await checkHeld(api, platform, subscriber, verdict);
    // One task more than those worked on is held by the platform. Of each role the REST API created one.
    const stepsDone = steps.filter(({ status }) => status === 'completed');
    const completed = followed.length + stepsDone.length;
    const ofRole = (own: string) => 1 + stepsDone.filter(({ role }) => role === own).length;
    const completedByRole = Object.fromEntries(roles.map((role) => [role, ofRole(role)]));
    const expected = { total: completed + 1, completed, completedByRole };
    await checkFigures(api, before, expected, verdict);
    checkWebhooks(subscriber, verdict);
  } finally {
    await Promise.all(agents.map((agent) => agent.stop()));
    subscriber.close();
  }
}

const startAgents = (api: Api): Promise<ScriptedAgent[]> =>
  Promise.all([
    startAgent(api, { name: 'Ada', role: 'rd', capabilities: ['typescript'], scores: { code_quality: 92 } }),
    startAgent(api, { name: 'Quinn', role: 'qa', capabilities: ['testing'], scores: {} }),
    startAgent(api, { name: 'Pia', role: 'pm', capabilities: [], scores: { requirements_clarity: 88 } }),
  ]);

const isOf = (taskId: string, type: string) => (webhook: Received) =>
  webhook.event_type === type && webhook.data['task_id'] === taskId;
const isPullRequestOf = (repository: string) => (webhook: Received) =>
  webhook.event_type === 'pr.opened' && webhook.data['repository'] === repository;
const isTicket = (externalId: string | undefined) => (webhook: Received) =>
  webhook.event_type === 'task.created' &&
  (webhook.data['metadata'] as Record<string, unknown> | undefined)?.['ticket_id'] === externalId;

async function bringWork(
  api: Api,
  platform: Platform,
  subscriber: Subscriber,
  roles: string[],
  verdict: Verdict,
): Promise<Followed[]> {
  const followed: Followed[] = [];
  for (const sample of platform.openers) {
    const { sentAt, tookMs, status, body } = await platform.send(sample);
    verdict.expect(
      `the platform gets 200 {"ok":true} for ${sample.name}`,
      status === 200 && body === '{"ok":true}',
      body,
    );
    const created = await subscriber.waitFor(isTicket(sample.externalId), stageTimeoutMs);
    verdict.expect(`${sample.name} becomes a task`, created !== undefined);
    const taskId = String(created?.data['task_id']);
    if (created)
      followed.push({ label: `platform: ${sample.event}`, taskId, calledAt: sentAt, acceptedAt: sentAt + tookMs });
  }
  for (const role of roles) {
    const calledAt = performance.now();
    const body = {
      title: `Demo work for ${role}`,
      description: 'Made by the demo.',
      assigned_role: role,
      priority: 'high',
    };
    const task = await api.post('/v1/tasks', body, taskResource);
    if (task) followed.push({ label: `API: for ${role}`, taskId: task.id, calledAt, acceptedAt: performance.now() });
  }
  say(`${followed.length} tasks brought: ${platform.openers.length} by the platform, ${roles.length} by the REST API`);
  return followed;
}

async function sendOthers(platform: Platform, verdict: Verdict): Promise<void> {
  const times: number[] = [];
  for (const sample of platform.others) {
    const { status, body, tookMs } = await platform.send(sample);
    times.push(tookMs);
    verdict.expect(`200 {"ok":true} for ${sample.name}`, status === 200 && body === '{"ok":true}', { status, body });
  }
  const [opener] = platform.openers;
  const forged = opener && (await platform.send(opener, '0'.repeat(64)));
  verdict.expect('a wrong signature is refused with 403', forged?.status === 403, forged?.status);
  const foreign = await platform.send(platform.foreign);
  verdict.expect('a body that is no event is refused with 400', foreign.status === 400, foreign.status);
  say(
    `${times.length} more signed samples acknowledged, p50 ${milliseconds(median(times))}; a forged one 403, a foreign one 400`,
  );
}

async function awaitWork(followed: Followed[], agents: ScriptedAgent[], subscriber: Subscriber, verdict: Verdict) {
  const works = new Map<string, Work>();
  for (const { label, taskId } of followed) {
    for (const type of ['task.created', 'task.started', 'task.completed']) {
      const webhook = await subscriber.waitFor(isOf(taskId, type), stageTimeoutMs);
      verdict.expect(`${type} reaches the subscriber (${label})`, webhook !== undefined);
    }
    const work = await findWork(agents, taskId);
    verdict.expect(`an agent completes the task (${label})`, work !== undefined);
    if (work) works.set(taskId, work);
    const completed = subscriber.received.find(isOf(taskId, 'task.completed'));
    const isAgents = completed?.data['completed_by'] === work?.agentId;
    verdict.expect(`task.completed names the agent (${label})`, isAgents, completed?.data);
  }
  return works;
}

/** The webhook can come before the response to the call that caused it. */
async function findWork(agents: ScriptedAgent[], taskId: string): Promise<Work | undefined> {
  for (const endsAt = Date.now() + stageTimeoutMs; ; await sleep(10)) {
    const work = agents.flatMap(({ done }) => done).find((one) => one.taskId === taskId);
    if (work || Date.now() > endsAt) return work;
  }
}

function sayTimes(followed: Followed[], works: Map<string, Work>, subscriber: Subscriber): void {
  say(`${works.size} tasks worked on and completed; times from the call that brought each:`);
  const rows = followed.map(({ label, taskId, calledAt, acceptedAt }) => {
    const webhookAt = (type: string) => subscriber.received.find(isOf(taskId, type))?.at;
    const work = works.get(taskId);
    const moments = [acceptedAt, webhookAt('task.created'), work?.claimedAt, webhookAt('task.started')];
    const ends = [work?.completedAt, webhookAt('task.completed')];
    return [label, ...[...moments, ...ends].map((at) => milliseconds(at && at - calledAt))];
  });
  table([['', 'accepted', 'task.created', 'claimed', 'task.started', 'done', 'task.completed'], ...rows]);
}

async function checkTasks(api: Api, followed: Followed[], works: Map<string, Work>, verdict: Verdict): Promise<void> {
  for (const { label, taskId } of followed) {
    const task = await api.get(`/v1/tasks/${taskId}`, taskDetail);
    const changes = task.activity.flatMap((entry) =>
      entry.type === 'status_change' ? [`${entry.from} → ${entry.to}`] : [],
    );
    const expected = ['created → in_progress', 'in_progress → completed'];
    verdict.expect(
      `${label} is completed`,
      task.status === 'completed' && task.progress.percent_complete === 100,
      task,
    );
    verdict.expect(`activity of ${label} shows its changes`, String(changes) === String(expected), changes);
    const hasComment = task.activity.some((entry) => entry.type === 'comment' && entry.content === 'Tests are next.');
    verdict.expect(`activity of ${label} has the agent's comment`, hasComment, task.activity);
    verdict.expect(`${label} is its agent's`, task.assigned_agent === works.get(taskId)?.agentId, task.assigned_agent);
  }
}

async function checkPullRequest(api: Api, subscriber: Subscriber, verdict: Verdict): Promise<void> {
  const { repository, status, sentAt } = await openPullRequest(api);
  verdict.expect('the source host gets 200 for a pull request', status === 200, status);
  const opened = await subscriber.waitFor(isPullRequestOf(repository), stageTimeoutMs);
  verdict.expect('pr.opened reaches the subscriber', opened !== undefined);
  say(
    `a pull request opened at the source host reached the subscriber after ${milliseconds(opened && opened.at - sentAt)}`,
  );
}

/** A task in progress at the platform waits there, whatever else happens to it, until the platform deletes it. */
async function checkHeld(api: Api, platform: Platform, subscriber: Subscriber, verdict: Verdict): Promise<void> {
  const created = await subscriber.waitFor(isTicket(platform.heldId), stageTimeoutMs);
  verdict.expect('an update of an unknown task makes it', created !== undefined);
  if (!created) return;
  const task = await api.get(`/v1/tasks/${String(created.data['task_id'])}`, taskDetail);
  const isWaiting = task.status === 'created' || task.status === 'open';
  verdict.expect('a task in progress at the platform waits for it', isWaiting, task.status);
  // Last: a system that goes on has no use for the registration.
  subscriber.leave();
  const { status } = await platform.send(platform.heldDeleted);
  verdict.expect('the platform gets 200 for taskDeleted.json', status === 200, status);
  const cancelled = await subscriber.waitFor(isOf(task.id, 'task.cancelled'), stageTimeoutMs);
  verdict.expect('a task deleted at the platform is cancelled', cancelled !== undefined);
}

async function checkAgents(api: Api, agents: ScriptedAgent[], verdict: Verdict): Promise<void> {
  for (const { id, name, done } of agents) {
    const { stats, current_tasks: current } = await api.get(`/v1/agents/${id}`, agentDetail);
    verdict.expect(`${name}'s stats count the work`, stats.tasks_completed === done.length, stats);
    verdict.expect(`${name} holds nothing more`, current.length === 0, current);
    say(`${name}: ${done.length} completed, quality ${stats.code_quality ?? 'not scored'}`);
  }
}

async function checkFigures(api: Api, before: Figures, expected: Figures, verdict: Verdict): Promise<void> {
  const askedAt = performance.now();
  const found = await awaitGrowth(api, before, expected);
  verdict.expect('analytics count the work', isSame(found, expected), { expected, found });
  const tookMs = performance.now() - askedAt;
  say(`analytics: +${found.total} tasks, +${found.completed} completed (read back after ${milliseconds(tookMs)})`);
}

function checkWebhooks({ received, complaints, counts }: Subscriber, verdict: Verdict): void {
  const ids = new Set(received.map(({ event_id: id }) => id));
  verdict.expect(
    'every webhook has good signatures',
    complaints.length === 0 && counts.good === received.length,
    complaints,
  );
  verdict.expect('altered bodies are refused', counts.alteredRefused === received.length, counts);
  verdict.expect('no webhook comes twice', ids.size === received.length, {
    received: received.length,
    events: ids.size,
  });
  const types = new Set(received.map(({ event_type: type }) => type));
  say(
    `${received.length} webhooks of ${types.size} types, all signatures verified by @octokit/webhooks-methods and standardwebhooks`,
  );
}
