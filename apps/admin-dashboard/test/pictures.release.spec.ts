// The pictures of README and guide: `PICTURES=docs/guide/pictures npm test -- --kind e2e pictures` makes them again.
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
const { open, get, post } = dashboard;

/** A day of a small team: work waits, goes on, is asked about, reviewed and done. */
async function live(webhookUrl: string): Promise<{ taskId: string; runId: string; webhookId: string }> {
  const webhook = await post('/v1/webhooks', {
    url: webhookUrl,
    events: ['task.*'],
    description: 'The board of the team',
  });
  const first = await begin('rd', 'Limit login attempts', 'At most five in a minute, counted by account.');
  const second = await begin('rd', 'Show the build number', 'People name it when they report a defect.');
  const third = await begin('qa', 'Try the payment form on phones', 'With and without a saved card.');
  await post('/v1/tasks', { title: 'Rename users to people', description: 'Also in the API.', assigned_role: 'qa' });
  await first.act('progress', {
    percent_complete: 60,
    comment: 'The counter works; its test is next.',
    milestones: [
      { name: 'Count failed logins', completed: true },
      { name: 'Test it', completed: false },
    ],
  });
  await first.act('artifacts', { kind: 'pull_request', title: 'Limit logins', url: 'https://git.example.com/web/42' });
  const options = ['In the footer', 'On the start page'];
  await second.act('inputs', { kind: 'choice', prompt: 'Where should it stand?', options });
  await third.act('complete', { summary: 'It works on all of them.' });
  const { data } = await get('/v1/workflows');
  const { id } = data.find(({ name }: Json) => name === 'Feature Development');
  const parameters = { feature_description: 'People sign in with a key', repository: 'acme/web', priority: 'high' };
  const run = await post(`/v1/workflows/${id}/start`, { name: 'Sign in with a key', parameters });
  return { taskId: first.task.id, runId: run.workflow_run_id, webhookId: webhook.id };
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
  throw new Error(`nobody took ${title}`);
}

inBrowser('each picture that README and guide show is made from the pages as they are', async () => {
  const receiver = await startReceiver();
  const { taskId, runId, webhookId } = await live(receiver.url);
  const pictures: Readonly<Record<string, { path: string; ready: (page: Page) => Promise<void> }>> = {
    overview: { path: '/admin/overview', ready: (page) => page.getByText('agents online').first().waitFor() },
    inbox: { path: '/admin/inbox', ready: (page) => page.getByRole('button', { name: 'In the footer' }).waitFor() },
    task: { path: `/admin/tasks/${taskId}`, ready: (page) => page.getByText('60 % done').waitFor() },
    run: { path: `/admin/runs/${runId}`, ready: (page) => page.getByRole('region', { name: 'Graph' }).waitFor() },
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
