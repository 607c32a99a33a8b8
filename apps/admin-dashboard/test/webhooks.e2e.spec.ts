import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser, until, useDashboard } from './dashboard.ts';
import { startReceiver } from './receiver.ts';

const dashboard = useDashboard();
const { narrowFindings, open, get, post } = dashboard;
const hostile = '<img src=x onerror="document.title=1"><script>alert(1)</script>';
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const log = (page: Page) => page.getByRole('table', { name: 'Deliveries' });
const makeTask = (title: string) => post('/v1/tasks', { title, description: 'x' });

let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

describe('webhooks', () => {
  inBrowser('are created with a secret that is shown once, tested, and deliver to a log that follows', async () => {
    const { page, close } = await open({ path: '/admin/webhooks' });
    await page.getByText('No webhooks').waitFor();
    await page.keyboard.press('n');
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByLabel('Description').fill(hostile);
    await page.getByLabel('Headers').fill('X-Token: secret');
    await page.reload();
    expect(await page.getByLabel('Address').inputValue()).toBe(receiver.url);
    expect(await page.getByLabel('Headers').inputValue()).toBe('');
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('X-Token');
    await page.getByLabel('Events').fill('task.created, webhook.*');
    await page.getByLabel('Headers').fill('X-Team: blue: one');
    await page.getByLabel('Address').fill('http://10.0.0.1/hook');
    await button(page, 'Create').last().click();
    await page.locator('[aria-invalid=true][name=url]').waitFor();
    await page.getByLabel('Address').fill(receiver.url);
    await button(page, 'Create').last().click();
    await page.getByText('It is shown only once.').waitFor();
    await page.keyboard.press('Escape');
    const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
    expect(secret).toMatch(/^whsec_.{20,}/);
    await button(page, 'Done').click();
    await page.getByRole('heading', { name: receiver.url, level: 1 }).waitFor();
    await page.getByText('Nothing was sent yet.').waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByText(hostile).waitFor();
    await button(page, 'Send a test event').click();
    receiver.respond.body = hostile;
    await button(page, 'Send').click();
    const response = page.getByRole('region', { name: 'Response' });
    await response.getByText(hostile).waitFor();
    await response.getByText('Status 200').waitFor();
    await button(page, 'Close').click();
    await makeTask('Delivered');
    await log(page).getByRole('link', { name: 'task.created' }).waitFor();
    await log(page).getByText('delivered').waitFor();
    await log(page).getByRole('cell', { name: '200', exact: true }).waitFor();
    await log(page).getByRole('link', { name: 'task.created' }).click();
    await page.getByText('Attempt 1').waitFor();
    await page.getByText('"title": "Delivered"').waitFor();
    await page.getByText(/first byte \d+ ms/).waitFor();
    await page.getByText(hostile).waitFor();
    await page.getByText('values not shown: x-team', { exact: false }).waitFor();
    const [webhook] = (await get('/v1/webhooks')).data;
    expect(webhook).toMatchObject({ events: ['task.created', 'webhook.*'], description: hostile });
    await close(400);
  });

  inBrowser('show in the address what the log is filtered by, and resend what failed', async () => {
    const { id } = await post('/v1/webhooks', { url: receiver.url, events: ['task.*'] });
    receiver.respond.status = 500;
    await makeTask('Refused');
    const { page, close } = await open({ path: `/admin/webhooks/${id}?status=delivered` });
    await page.getByText('No delivery fits these filters.').waitFor();
    await page.getByLabel('Status').selectOption('pending');
    await page.waitForURL(/status=pending/);
    await page.getByLabel('Event type').selectOption('task.created');
    await page.waitForURL(/event_type=task.created/);
    await log(page).getByRole('cell', { name: '500', exact: true }).waitFor();
    await page.reload();
    await log(page).getByRole('link', { name: 'task.created' }).click();
    await page.getByText('http_5xx').first().waitFor();
    receiver.respond.status = 200;
    await button(page, 'Resend').click();
    await page.getByText('Attempt 2').waitFor();
    await page.getByRole('banner').or(page.locator('header')).getByText('delivered', { exact: true }).waitFor();
    await close();
  });

  inBrowser('replay what was counted before, with progress, and cancel', async () => {
    const { id } = await post('/v1/webhooks', { url: receiver.url, events: ['task.created'] });
    // One a second: the replay goes on until it is cancelled, on a busy machine too.
    const count = 40;
    await Promise.all(Array.from({ length: count }, (_, at) => makeTask(`Replayed ${at}`)));
    const delivered = () => get(`/v1/webhooks/${id}/deliveries?status=delivered&limit=100`);
    await until(async () => (await delivered()).data.length === count);
    const { page, close } = await open({ path: `/admin/webhooks/${id}?status=delivered` });
    await log(page).getByRole('link', { name: 'task.created' }).nth(2).waitFor();
    await button(page, 'Replay').click();
    await page.getByLabel('delivered').check();
    await page.getByLabel('Deliveries per second at most').fill('1');
    await button(page, 'Count').click();
    await page.getByText(`${count} deliveries match.`).waitFor();
    const before = receiver.bodies.length;
    await button(page, 'Send them again').click();
    const replays = page.getByRole('region', { name: 'Replays' });
    await replays.getByText('running').waitFor();
    await replays.getByRole('button', { name: 'Cancel the replay' }).click();
    await replays.getByText('cancelled').waitFor();
    await button(page, 'Replay').click();
    await page.getByLabel('delivered').check();
    await button(page, 'Count').click();
    await page.getByText(/\d deliveries match/).waitFor();
    await button(page, 'Send them again').click();
    await replays.getByText('completed').waitFor();
    // All are due again then; the last may be on its way.
    await until(() => receiver.bodies.length > before);
    await close();
  });

  inBrowser('show both versions when somebody else changed one, and can be disabled, enabled, rotated', async () => {
    const { id } = await post('/v1/webhooks', { url: receiver.url, events: ['pr.*'] });
    const { page, close } = await open({ path: `/admin/webhooks/${id}` });
    await button(page, 'Change').click();
    await page.getByLabel('Description').fill('mine');
    await dashboard.patch(`/v1/webhooks/${id}`, { description: 'theirs' });
    await button(page, 'Save').click();
    await page.getByRole('alert').getByRole('cell', { name: 'theirs' }).waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('mine');
    await button(page, 'Take theirs').click();
    expect(await page.getByLabel('Description').inputValue()).toBe('theirs');
    await page.getByLabel('Description').fill('mine');
    await dashboard.patch(`/v1/webhooks/${id}`, { description: 'theirs again' });
    await button(page, 'Save').click();
    await page.getByRole('alert').getByRole('cell', { name: 'theirs again' }).waitFor();
    await button(page, 'Save mine over it').click();
    await page.getByText('Webhook changed').waitFor();
    expect(await get(`/v1/webhooks/${id}`)).toMatchObject({ description: 'mine' });
    await button(page, 'Disable').click();
    await button(page, 'Disable the webhook').click();
    await page.getByText('Enable the webhook to send again.').waitFor();
    await button(page, 'Enable').click();
    await button(page, 'Disable').waitFor();
    await button(page, 'Rotate the secret').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click();
    expect(await page.getByLabel('Secret', { exact: true }).inputValue()).toMatch(/^whsec_/);
    await button(page, 'Done').click();
    await page.getByText('signs too until').waitFor();
    await close(412);
  });

  inBrowser('have nothing that axe finds, light and dark, and fit 360 pixels', async () => {
    const url = `${receiver.url}/${'long'.repeat(100)}`;
    const { id } = await post('/v1/webhooks', { url, events: ['task.created'], description: hostile.repeat(3) });
    await makeTask('Seen');
    const found = await waitForDelivery(id);
    const pages = ['', '?new=true', `/${id}`, `/${id}/deliveries/${found.id}`].map((path) => `/admin/webhooks${path}`);
    const findings = await narrowFindings(pages, (page, path) =>
      page
        .getByText(path.endsWith('?new=true') ? 'Create a webhook' : /long|task\.created/)
        .first()
        .waitFor(),
    );
    expect(findings).toEqual([]);
  });
});

async function waitForDelivery(id: string) {
  for (;;) {
    const { data } = await get(`/v1/webhooks/${id}/deliveries?status=delivered`);
    if (data.length > 0) return data[0];
  }
}
