import { setTimeout as sleep } from 'node:timers/promises';
import { type RunDetail, runDetail, runResource, workflowList } from '@eas/contracts';
import type { ScriptedAgent } from './agent.ts';
import type { Api } from './api.ts';
import { milliseconds, say, table } from './print.ts';
import type { Received, Subscriber } from './subscriber.ts';
import type { Verdict } from './verdict.ts';

export type Crew = readonly ScriptedAgent[];

/** For hangs alone. */
const patienceMs = 60_000;
/** Done only when a test failed before. */
const skipped = ['fix_candidate', 'roll_back'];

/** A run of the shipped workflow for releases: agents work on its steps, a person signs it off. */
export async function playRelease(api: Api, crew: Crew, subscriber: Subscriber, verdict: Verdict): Promise<RunDetail> {
  const workflowId = await findWorkflow(api, verdict);
  const calledAt = performance.now();
  const body = { name: 'Demo release', parameters: { version: '1.2.0', repository: 'web' } };
  const started = await api.post(`/v1/workflows/${workflowId}/start`, body, runResource);
  if (!started) throw new Error('no run was started');
  const { workflow_run_id: id, current_step: first, next_steps: next } = started;
  verdict.expect(
    'the run begins with its first step',
    first?.status === 'in_progress' && first.assignee !== null,
    first,
  );
  say(`run of "Release" started: ${first?.name} is in progress, ${next.length} steps wait`);

  const waiting = await awaitRun(api, id, ({ current_step: step }) => step?.status === 'awaiting_approval');
  const toSignOff = waiting.steps.find(({ status }) => status === 'awaiting_approval');
  verdict.expect('the run waits for a person to sign it off', toSignOff?.key === 'sign_off', waiting.steps);
  if (!toSignOff) return waiting;
  say(`"${toSignOff.name}" waits for a person: approved`);
  await api.post(`/v1/runs/${id}/steps/${toSignOff.id}/approve`, { comment: 'Go.' }, runDetail);

  const ended = await awaitRun(api, id, ({ status }) => status !== 'started');
  checkSteps(ended, crew, verdict);
  await checkEvents(ended, subscriber, verdict);
  printSteps(ended, crew, performance.now() - calledAt);
  return ended;
}

async function findWorkflow(api: Api, verdict: Verdict): Promise<string> {
  const { data } = await api.get('/v1/workflows?limit=100', workflowList);
  const release = data.find(({ name }) => name === 'Release');
  verdict.expect('five workflows are shipped', data.length >= 5, data);
  if (!release) throw new Error('there is no workflow "Release"');
  return release.id;
}

async function awaitRun(api: Api, id: string, isSo: (run: RunDetail) => boolean): Promise<RunDetail> {
  for (const endsAt = performance.now() + patienceMs; ; await sleep(50)) {
    const run = await api.get(`/v1/runs/${id}`, runDetail);
    if (isSo(run) || run.status !== 'started' || performance.now() > endsAt) return run;
  }
}

function checkSteps({ status, steps, history }: RunDetail, agents: Crew, verdict: Verdict): void {
  verdict.expect('the run is completed', status === 'completed', { status, steps });
  for (const step of steps) {
    const expected = skipped.includes(step.key) ? 'skipped' : 'completed';
    verdict.expect(`step ${step.key} is ${expected}`, step.status === expected, step);
    const isAgents = expected === 'skipped' || agents.some(({ id }) => id === step.assignee);
    verdict.expect(`step ${step.key} was done by an agent of the demo`, isAgents, step);
  }
  verdict.expect('its history ends with its completion', history.at(-1)?.type === 'completed', history.at(-1));
}

async function checkEvents({ workflow_run_id: id, steps }: RunDetail, subscriber: Subscriber, verdict: Verdict) {
  const isOfRun = (type: string) => (webhook: Received) =>
    webhook.event_type === type && webhook.data['workflow_run_id'] === id;
  for (const type of ['workflow.started', 'workflow.completed'])
    verdict.expect(
      `${type} reaches the subscriber`,
      (await subscriber.waitFor(isOfRun(type), patienceMs)) !== undefined,
    );
  for (const step of steps.filter(({ status }) => status === 'completed')) {
    const isOfStep = (webhook: Received) =>
      isOfRun('workflow.step_completed')(webhook) && webhook.data['step_id'] === step.id;
    const webhook = await subscriber.waitFor(isOfStep, patienceMs);
    verdict.expect(`workflow.step_completed reaches the subscriber (${step.key})`, webhook !== undefined);
  }
}

function printSteps({ steps, started_at: startedAt }: RunDetail, agents: Crew, tookMs: number): void {
  const done = steps.filter(({ status }) => status === 'completed').length;
  say(`run completed after ${milliseconds(tookMs)}: ${done} steps done, ${steps.length - done} skipped`);
  const since = (at: string | null) => milliseconds(at === null ? undefined : Date.parse(at) - Date.parse(startedAt));
  const rows = steps.map(({ name, status, assignee, started_at: from, finished_at: to }) => {
    const agent = agents.find(({ id }) => id === assignee)?.name ?? '-';
    return [name, status, agent, ...(from === null ? ['-', '-'] : [since(from), since(to)])];
  });
  table([['', 'status', 'by', 'started', 'finished'], ...rows]);
}
