import { expect } from '@jest/globals';
import { makeAgent } from './agent.ts';
import { inBrowser, useDashboard } from './dashboard.ts';
import { peopleOf } from './people.ts';

const dashboard = useDashboard();
const { open, post, remove } = dashboard;
const { makeUser, openAs } = peopleOf(dashboard);

inBrowser(
  'people, keys and agents are shown by name, also to who may not list them, and removed ones are marked',
  async () => {
    const key = await post('/admin/api/keys', { name: 'Nightly import', scopes: ['tasks:read', 'tasks:write'] });
    const agent = await makeAgent(dashboard);
    const { task, act } = await agent.hold({ title: 'Shown by name' });
    await act('inputs', { kind: 'question', prompt: 'Which colour?', blocking: false });
    await fetch(`${dashboard.address()}/v1/tasks/${task.id}/comments`, {
      method: 'POST',
      headers: { 'x-api-key': key.key, 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'From the key.' }),
    });
    const user = await makeUser({ role: 'member', name: 'Grace Hopper' });
    const { page, close } = await openAs(user.email, `/admin/tasks/${task.id}`);
    const entryOf = (text: string) =>
      page.getByRole('region', { name: 'Timeline' }).getByRole('listitem').filter({ hasText: text });
    await page.getByLabel('Comment or message').fill('My own comment.');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await entryOf('My own comment.').getByText('Grace Hopper').waitFor();
    await entryOf('From the key.').getByText('Nightly import', { exact: true }).waitFor();
    await entryOf('Which colour?').getByText(agent.role, { exact: true }).waitFor();

    await remove(`/admin/api/keys/${key.id}`);
    await remove(`/v1/agents/${agent.id}`);
    await page.reload();
    await entryOf('From the key.').getByText('Nightly import (removed)').waitFor();
    await entryOf('Which colour?').getByText(`${agent.role} (removed)`).waitFor();
    const timeline = await page.getByRole('region', { name: 'Timeline' }).innerText();
    expect(timeline).not.toMatch(/(usr|key|agt)_|…/);
    await close();
  },
);

inBrowser('a replay and an answer are shown with the name of who made them', async () => {
  const webhook = await post('/v1/webhooks', { url: 'https://replayed.example.com/', events: ['*'] });
  await post(`/v1/webhooks/${webhook.id}/replays`, {});
  const agent = await makeAgent(dashboard);
  const { task, act } = await agent.hold({ title: 'Asked about' });
  const { input } = await act('inputs', { kind: 'question', prompt: 'Which size?', blocking: false });
  const { page, close } = await open({ path: `/admin/inbox?item=${input.id}` });
  await page.getByText(`Asked by ${agent.role}`).waitFor();
  await post(`/v1/inputs/${input.id}/answer`, { answer: 'Large' });
  await page.getByText('This is answered already.').waitFor();
  await page.getByText(/^By [^_]+\.$/).waitFor();
  await page.goto(`/admin/tasks/${task.id}`);
  const asked = page.getByRole('region', { name: 'Inputs' });
  await asked.getByText('Large').waitFor();
  await asked.getByText(/^by \w/).waitFor();
  expect(await asked.innerText()).not.toContain('key_');
  await page.goto(`/admin/webhooks/${webhook.id}`);
  const replays = page.getByRole('region', { name: 'Replays' });
  await replays.getByText(/ by \w/).waitFor();
  expect(await replays.innerText()).not.toContain('key_');
  await close();
});
