import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type SourceHost, startSourceHost } from '@eas/testing/source-host';
import { makeAgent } from './agent.ts';
import { axeFindings, inBrowser, until, useDashboard } from './dashboard.ts';
import { startReceiver } from './receiver.ts';

let platform: Awaited<ReturnType<typeof startReceiver>>;
let chat: typeof platform;
let host: SourceHost;
beforeAll(async () => {
  [platform, chat, host] = await Promise.all([startReceiver(), startReceiver(), startSourceHost()]);
  chat.respond.body = JSON.stringify({ ok: true, channel: 'C1', ts: '1700000000.000100' });
});
afterAll(() => Promise.all([platform.stop(), chat.stop(), host.close()]));
const ownSettings = () => ({
  PLATFORM_API_URL: platform.url,
  CHAT_API_URL: chat.url,
  SOURCE_HOST_API_URL: host.url,
});
const dashboard = useDashboard({ ownSettings });
const { narrowFindings, open, get, post } = dashboard;
const hostile = '<img src=x onerror="document.title=1"><script>alert(1)</script>';
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('integrations', () => {
  inBrowser('are connected step by step, with the address and a signing secret', async () => {
    const { page, close } = await open({ path: '/admin/integrations' });
    await page.getByText('Nothing is connected').waitFor();
    await page.keyboard.press('n');
    await button(page, 'Source host').click();
    await page.getByLabel('Organisation or user').fill('acme');
    await page.reload();
    expect(await page.getByLabel('Organisation or user').inputValue()).toBe('acme');
    await page.getByLabel('Labels').fill('agent = worker\nbug = fixer');
    await button(page, 'Connect').last().click();
    await page.getByText('Step 3 of 3').waitFor();
    await page.keyboard.press('Escape');
    const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
    const address = await page.getByLabel('Address', { exact: true }).inputValue();
    await button(page, 'Test').click();
    await page.getByText('accepted', { exact: true }).waitFor();
    const body = JSON.stringify({ zen: 'Keep it simple.' });
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'ping',
        'x-github-delivery': crypto.randomUUID(),
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      },
      body,
    });
    expect(response.status).toBeLessThan(300);
    await button(page, 'Done').click();
    await page.getByRole('heading', { name: 'Source host: acme', level: 1 }).waitFor();
    expect(await page.content()).not.toContain(secret);
    const [integration] = (await get('/v1/integrations')).data;
    expect(integration.labels).toEqual({ agent: 'worker', bug: 'fixer' });
    await close();
  });

  inBrowser('are changed by two people at once only with both versions shown', async () => {
    const { id } = await post('/v1/integrations', {
      type: 'github',
      org_name: 'other',
      secret: 'a secret of some length',
      labels: { one: 'worker', two: 'worker' },
    });
    const path = `/admin/integrations/${id}`;
    const { page, close } = await open({ path });
    await button(page, 'Change').click();
    await page.getByLabel('Repositories').fill('web, api');
    await page.getByLabel('Labels').fill('one = worker');
    const other = await open({ path });
    await button(other.page, 'Change').click();
    await other.page.getByLabel('Labels').fill('one = worker\nthree = fixer');
    await button(other.page, 'Save').click();
    await other.page.getByText('Integration changed').waitFor();
    await button(page, 'Save').click();
    const versions = page.getByRole('alert').getByRole('row');
    await versions.nth(1).waitFor();
    expect(await versions.allInnerTexts()).toEqual([
      expect.stringMatching(/^Field\s+Theirs, saved\s+Yours$/),
      expect.stringMatching(/^Repositories\s+\(empty\)\s+web, api$/),
      expect.stringMatching(/^Labels\s+one = worker\s+three = fixer\s+one = worker$/),
    ]);
    expect(await axeFindings(page)).toEqual([]);
    await button(page, 'Save mine over it').click();
    await page.getByText('Integration changed').waitFor();
    const { repositories, labels } = await get(`/v1/integrations/${id}`);
    expect({ repositories, labels }).toEqual({ repositories: ['web', 'api'], labels: { one: 'worker' } });
    await other.close();
    await close(412);
  });

  inBrowser('are rotated, disconnected and connected again, and deleted after asking', async () => {
    const { id } = await post('/v1/integrations', {
      type: 'taskplatform',
      webhook_id: 'hook-1',
      secret: 'a secret of some length',
      write_back: { status: { completed: 'shipped' } },
    });
    const { page, close } = await open({ path: `/admin/integrations/${id}` });
    await page.getByRole('region', { name: 'Settings' }).getByText('shipped').waitFor();
    await button(page, 'Change').click();
    await page.getByLabel('Leave the status of completed tasks as it is').check();
    await page.getByLabel('Post results and questions as comments').uncheck();
    await button(page, 'Save').click();
    await page.getByText('Integration changed').waitFor();
    expect(await get(`/v1/integrations/${id}`)).toMatchObject({
      write_back: { status: { completed: false }, comments: false },
    });
    await button(page, 'Rotate the secret').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click();
    await page.getByText('It is shown only once.').waitFor();
    await button(page, 'Done').click();
    await button(page, 'Disconnect').click();
    await button(page, 'Disconnect it').click();
    await button(page, 'Connect again').click();
    await page.getByText('Connected again').waitFor();
    expect(await get(`/v1/integrations/${id}`)).toMatchObject({ status: 'active' });
    await page.getByRole('link', { name: 'Received webhooks' }).click();
    await page.waitForURL(new RegExp(`/inbound\\?integration_id=${id}`));
    await page.goBack();
    await button(page, 'Delete').click();
    await button(page, 'Delete it').click();
    await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
    await expect(get(`/v1/integrations/${id}`)).rejects.toThrow('404');
    await close();
  });

  inBrowser('show errors of the API, also at the fields of a form, which can be sent again', async () => {
    const { id } = await post('/v1/integrations', { type: 'taskplatform', secret: 'a secret of some length' });
    const { page, close } = await open({ path: `/admin/integrations/${id}` });
    await button(page, 'Reconcile').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reconcile' }).click();
    await page.getByRole('dialog').getByText(/token/).first().waitFor();
    await page.goto('/admin/integrations?connect=taskplatform');
    await page.getByLabel('Status words').fill('doing = nonsense');
    await button(page, 'Connect').last().click();
    await page.getByRole('dialog').locator('[aria-invalid=true][name=status_map]').waitFor();
    await page.getByLabel('Status words').fill('doing = hold');
    await page.getByLabel('Secret', { exact: true }).fill('a secret of the platform');
    await button(page, 'Connect').last().click();
    await page.getByText('Step 3 of 3').waitFor();
    expect(await page.getByLabel('Secret', { exact: true }).count()).toBe(0);
    await close(400);
  });

  inBrowser('are reconciled with progress, and cancelled', async () => {
    const tasks = ['a', 'b', 'c'].map((id) => ({
      id: `86${id}`,
      name: hostile,
      text_content: 'Text.',
      date_updated: String(Date.now() - 60_000),
      status: { status: 'to do', type: 'open' },
    }));
    const respond = (isLast: boolean) =>
      (platform.respond.body = JSON.stringify({ teams: [{ id: '9' }], tasks, last_page: isLast }));
    respond(false);
    const body = { type: 'taskplatform', webhook_id: 'hook-2', secret: 'a secret of some length', token: 'pk_token' };
    const { id } = await post('/v1/integrations', body);
    const { page, close } = await open({ path: `/admin/integrations/${id}` });
    const dialog = page.getByRole('dialog');
    const progress = page.getByRole('region', { name: 'Reconciliation' });
    await button(page, 'Reconcile').click();
    await dialog.getByRole('button', { name: 'Reconcile' }).click();
    await progress.getByText('3 created').waitFor();
    await page.reload();
    await progress.getByText('running').waitFor();
    await button(page, 'Cancel the reconciliation').click();
    await progress.getByText('cancelled').waitFor();
    respond(true);
    await button(page, 'Reconcile').click();
    await dialog.getByRole('button', { name: 'Reconcile' }).click();
    await progress.getByText('completed').waitFor();
    await progress.getByText('3 read: 0 created').waitFor();
    await close();
  });

  inBrowser('open pull requests with a token, and report missing rights of the token', async () => {
    const { page, close } = await open({ path: '/admin/integrations?connect=github' });
    await page.getByLabel('Organisation or user').fill('pulls');
    await page.getByLabel('Token').fill('ghp_too_weak');
    await button(page, 'Connect').last().click();
    await page.getByText('Step 3 of 3').waitFor();
    await button(page, 'Done').click();
    await page.getByRole('heading', { name: 'Source host: pulls', level: 1 }).waitFor();
    const integration = page.url();
    const url = `${host.url}/pulls/web.git`;
    const project = (await post('/v1/projects', { name: 'Pulls', repositories: [{ url }] })).id;
    host.respondWith(({ headers }) =>
      headers.authorization === 'Bearer ghp_strong' ? undefined : { status: 404, body: { message: 'Not Found' } },
    );
    const agent = await makeAgent(dashboard);
    const { task, act } = await agent.hold({ title: 'Limit logins', project });
    const data = { repository: url, branch: `task/${task.id}`, pushed: true };
    await act('artifacts', { kind: 'branch', title: 'web', sha: '9fceb02', data });
    await act('complete', { summary: 'Five a minute.' });
    const read = () => get(`/v1/integrations/${new URL(integration).pathname.split('/').at(-1)}`);
    await until(async () => (await read()).platform_calls?.failed === 1, 90_000);
    await page.reload();
    await page.getByText('0 waiting, 1 failed in 30 days: not found on the platform: status 404: Not Found.').waitFor();
    await page.getByText('Check that pulls/web exists under this name, and that the token may see it.').waitFor();
    await button(page, 'Change').click();
    await page.getByRole('dialog').getByLabel('Token').fill('ghp_strong');
    await button(page, 'Save').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goto(`/admin/tasks/${task.id}`);
    const link = page.getByRole('region', { name: 'Artifacts' }).getByRole('link', { name: 'Limit logins' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe(`${host.url}/pulls/web/pull/1`);
    // The pull request is there before its call is over, and the page does not follow calls.
    await until(async () => {
      const { waiting, failed } = (await read()).platform_calls;
      return waiting === 0 && failed === 0;
    }, 90_000);
    await page.goto(integration);
    await page.getByText('0 waiting, 0 failed in 30 days').waitFor();
    expect(await page.content()).not.toContain('ghp_');
    await close();
  });

  inBrowser('show the messages that were posted to a chat', async () => {
    const { page, close } = await open({ path: '/admin/integrations?connect=slack' });
    await page.getByLabel('Workspace').fill(hostile);
    await page.getByLabel('Token').fill('xoxb-token');
    await page.getByLabel('Channels').fill('C1');
    await page.getByLabel('Events').fill('task.created');
    await button(page, 'Connect').last().click();
    await page.getByText('Step 3 of 3').waitFor();
    await button(page, 'Test').click();
    await page.getByText('accepted', { exact: true }).waitFor();
    await button(page, 'Done').click();
    await page.getByRole('heading', { name: `Chat: ${hostile}`, level: 1 }).waitFor();
    await page.getByText('Nothing was posted yet.').waitFor();
    await post('/v1/tasks', { title: 'Posted', description: 'x' });
    const messages = page.getByRole('table', { name: 'Messages' });
    await messages.getByText('task.created').waitFor();
    await messages.getByText('posted', { exact: true }).waitFor();
    chat.respond.body = JSON.stringify({ ok: false, error: 'invalid_blocks' });
    await post('/v1/tasks', { title: 'Not posted', description: 'x' });
    const failed = messages.getByRole('row').filter({ has: page.getByText('failed', { exact: true }) });
    await failed.getByText('The chat refuses messages (invalid_blocks).').waitFor();
    await page.reload();
    await page.getByText('Something failed last: invalid blocks.').waitFor();
    await close();
  });

  inBrowser('pass axe, light and dark, and fit 360 pixels', async () => {
    const chat = await post('/v1/integrations', {
      type: 'slack',
      workspace_name: `${'long'.repeat(40)} ${hostile}`.slice(0, 200),
    });
    const paths = ['', '?connect=choose', '?connect=slack', '?connect=taskplatform', `/${chat.id}`];
    const findings = await narrowFindings(
      paths.map((path) => `/admin/integrations${path}`),
      (page) =>
        page
          .getByText(/longlong/)
          .first()
          .waitFor(),
    );
    expect(findings).toEqual([]);
  });
});
