// The pictures of README and guide: `PICTURES=docs/guide/pictures npm test -- --kind release pictures` makes them again.
import { globSync, mkdirSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser, type Json, useDashboard } from './dashboard.ts';
import { startReceiver } from './receiver.ts';

const root = resolve(import.meta.dirname, '../../..');
const wanted = process.env['PICTURES'];
const folder = wanted ? resolve(root, wanted) : mkdtempSync(join(tmpdir(), 'eas-pictures-'));
const dashboard = useDashboard({ ownSettings: () => ({}) });
const { open, get, post, patch } = dashboard;

type Lived = { taskId: string; runId: string; webhookId: string; profileId: string };

/** A day of a small team: tasks that wait, go on, need an answer, are reviewed and done. */
async function live(webhookUrl: string): Promise<Lived> {
  const webhook = await post('/v1/webhooks', {
    url: webhookUrl,
    events: ['task.*'],
    description: 'The board of the team',
  });
  const first = await begin('rd', 'Limit login attempts', 'At most five in a minute, counted by account.');
  const second = await begin('rd', 'Show the build number', 'People name it when they report a defect.');
  const third = await begin('qa', 'Try the payment form on phones', 'With and without a saved card.');
  const rules = [{ action: 'ask', tool: 'execute', pattern: 'git push*' }];
  await post('/v1/policies', { project_id: null, role: 'pm', rules });
  const fourth = await begin('pm', 'Write the release notes', 'For the people who use it.');
  await post('/v1/tasks', { title: 'Rename users to people', description: 'Also in the API.', assigned_role: 'qa' });
  await first.act('progress', {
    percent_complete: 60,
    comment: 'The counter works; its test is next.',
    milestones: [
      { name: 'Count failed logins', completed: true },
      { name: 'Test it', completed: false },
    ],
  });
  await first.act('session/entries', { first: 1, entries: session });
  await first.act('artifacts', { kind: 'pull_request', title: 'Limit logins', url: 'https://git.example.com/web/42' });
  const options = ['In the footer', 'On the start page'];
  await second.act('inputs', { kind: 'choice', prompt: 'Where should it stand?', options });
  await fourth.act('permissions', {
    call_id: 'call_1',
    permission: { tool: 'execute', title: 'Push the branch', command: 'git push origin release-notes' },
  });
  await third.act('complete', { summary: 'It works on all of them.' });
  const { data } = await get('/v1/workflows');
  const { id } = data.find(({ name }: Json) => name === 'Feature Development');
  const parameters = { feature_description: 'People sign in with a key', repository: 'acme/web', priority: 'high' };
  const run = await post(`/v1/workflows/${id}/start`, { name: 'Sign in with a key', parameters });
  return {
    taskId: first.task.id,
    runId: run.workflow_run_id,
    webhookId: webhook.id,
    profileId: await limit(first.act),
  };
}

const session = [
  { kind: 'text', text: 'The counter is in place. Its limit comes next, then the test.' },
  {
    kind: 'plan',
    steps: [
      { text: 'Count failed logins by account', status: 'completed' },
      { text: 'Refuse the sixth in a minute', status: 'in_progress' },
      { text: 'Test both', status: 'pending' },
    ],
  },
  {
    kind: 'tool',
    id: 'call_1',
    type: 'edit',
    title: 'Edit src/login.ts',
    status: 'completed',
    diff: {
      path: 'src/login.ts',
      old_text: 'const limit = 10;\nexport const isRefused = (failed: number) => failed > limit;',
      new_text: 'const limit = 5;\nexport const isRefused = (failed: number) => failed >= limit;',
    },
  },
  {
    kind: 'tool',
    id: 'call_2',
    type: 'execute',
    title: 'npm test -- login',
    status: 'completed',
    output: 'PASS src/login.spec.ts\n  ✓ refuses the sixth login in a minute (4 ms)\nTests: 1 passed',
  },
];

/** Budgets that are partly used, and a profile with one of its own; returns the ID of the profile. */
async function limit(act: (verb: string, body: object) => Promise<Json>): Promise<string> {
  const model = 'example-large-2';
  await patch('/v1/model-prices', { prices: { 'example-large-*': { input: 3, output: 15 } } });
  await post('/v1/budgets', { scope: 'tenant', unit: 'usd', period: 'month', limit: 400 });
  await post('/v1/budgets', { scope: 'role', scope_id: 'rd', unit: 'usd', period: 'day', limit: 20 });
  const profile = await post('/v1/profiles', {
    name: 'Careful developer',
    roles: ['rd'],
    instructions: 'Write the test first. Keep functions short.',
    effort: 'high',
    checks: [{ name: 'tests', command: 'npm test' }],
    permission_rules: [
      { action: 'ask', tool: 'execute', pattern: 'git push*' },
      { action: 'deny', tool: 'execute', pattern: 'rm -rf *' },
    ],
    budgets: [{ unit: 'usd', period: 'day', limit: 10 }],
  });
  const call = { call_id: 'model_1', model, input_tokens: 600_000 };
  await act('model-calls', { ...call, max_output_tokens: 400_000 });
  await act('model-calls/usage', { ...call, output_tokens: 420_000 });
  return profile.id;
}

/** A task that one of the agents of the role works on. */
async function begin(role: string, title: string, description: string) {
  const made = await post('/v1/tasks', {
    title,
    description,
    assigned_role: role,
    priority: 'high',
    tags: ['backend'],
  });
  for (const { id } of (await get(`/v1/agents?role=${role}&status=idle`)).data) {
    const claim = await post(`/v1/agents/${id}/claims`, { wait_seconds: 5 });
    if (claim?.task.id !== made.id) continue;
    const { lease, task } = claim;
    const act = (verb: string, body: object): Promise<Json> =>
      post(`/v1/leases/${lease.lease_id}/${verb}`, { fencing_token: lease.fencing_token, ...body });
    return { task, act };
  }
  throw new Error(`no agent has claimed ${title}`);
}

inBrowser('the pictures of README and guide are made from the current pages', async () => {
  const receiver = await startReceiver();
  const { taskId, runId, webhookId, profileId } = await live(receiver.url);
  const pictures: Readonly<Record<string, { path: string; ready: (page: Page) => Promise<void> }>> = {
    overview: { path: '/admin/overview', ready: (page) => page.getByText('agents online').first().waitFor() },
    inbox: { path: '/admin/inbox', ready: (page) => page.getByRole('button', { name: 'In the footer' }).waitFor() },
    task: { path: `/admin/tasks/${taskId}`, ready: (page) => page.getByText('npm test -- login').waitFor() },
    run: { path: `/admin/runs/${runId}`, ready: (page) => page.getByRole('region', { name: 'Graph' }).waitFor() },
    budgets: { path: '/admin/budgets', ready: (page) => page.getByText('example-large-*').waitFor() },
    profile: { path: `/admin/profiles/${profileId}`, ready: (page) => page.getByText('git push*').waitFor() },
    webhook: {
      path: `/admin/webhooks/${webhookId}`,
      ready: (page) => page.getByRole('table', { name: 'Deliveries' }).getByText('delivered').first().waitFor(),
    },
  };
  mkdirSync(folder, { recursive: true });
  for (const [name, { path, ready }] of Object.entries(pictures)) {
    const { page, close } = await open({ path });
    await ready(page);
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
    expect(statSync(join(folder, `${name}.png`)).size).toBeGreaterThan(10_000);
    await close();
  }
  const pages = ['README.md', ...globSync('docs/guide/*.md', { cwd: root })];
  const shown = pages.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/pictures\/(\w+)\.png/g)].map(([, name]) => name),
  );
  expect([...new Set(shown)].toSorted()).toEqual(Object.keys(pictures).toSorted());
  await receiver.stop();
});
