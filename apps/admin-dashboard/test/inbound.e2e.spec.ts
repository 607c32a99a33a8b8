import { createHmac } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser, until, useDashboard } from './dashboard.ts';

const dashboard = useDashboard();
const { narrowFindings, open, get, post } = dashboard;
const hostile = '<img src=x onerror="document.title=1"><script>alert(1)</script>';
const secret = 'a secret of some length';
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const list = (page: Page) => page.getByRole('table', { name: 'Received webhooks' });

/** A platform that sends given bodies, and the results. */
async function makePlatform() {
  const webhookId = `hook-${crypto.randomUUID()}`;
  const { id, inbound_url: url } = await post('/v1/integrations', {
    type: 'taskplatform',
    secret,
    webhook_id: webhookId,
  });
  const eventsOf = async () => (await get(`/v1/inbound-events?integration_id=${id}&limit=100`)).data;
  return {
    id: id as string,
    webhookId,
    async post(event: string, more: object = {}): Promise<string> {
      const taskId = `86${crypto.randomUUID().slice(0, 8)}`;
      const body = JSON.stringify({
        event,
        task_id: taskId,
        webhook_id: webhookId,
        data: { name: 'Made there' },
        ...more,
      });
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      const response = await fetch(url, { method: 'POST', headers: { 'x-signature': signature }, body });
      expect(await response.json()).toEqual({ ok: true });
      return body;
    },
    async send(event: string, more: object = {}) {
      const before = (await eventsOf()).length;
      const body = await this.post(event, more);
      for (;;) {
        const events = await eventsOf();
        if (events.length > before && events[0].state !== 'received') return { ...events[0], body };
      }
    },
  };
}
/** More history items than are applied at once, which are known by their IDs. */
const tooMany = () => ({ history_items: Array.from({ length: 501 }, () => ({ id: crypto.randomUUID() })) });

describe('received webhooks', () => {
  inBrowser('say what to do while the list is empty, follow what arrives, and filter in the address', async () => {
    const { page, close } = await open({ path: '/admin/inbound' });
    await page.getByText('Nothing was received yet.').waitFor();
    const platform = await makePlatform();
    await platform.send('taskCreated', { data: { name: hostile } });
    await list(page).getByRole('link', { name: 'taskCreated' }).waitFor();
    await list(page).getByText('applied', { exact: true }).waitFor();
    await platform.send('taskTeleported');
    await page.getByRole('heading', { name: 'Inbound', level: 1 }).click();
    await page.keyboard.press('r');
    await list(page).getByText('quarantined: unknown_event').waitFor();
    await page.getByLabel('State').selectOption('quarantined');
    await page.waitForURL(/state=quarantined/);
    await page.getByLabel('Integration').selectOption(`Task platform: ${platform.webhookId}`);
    await page.waitForURL(new RegExp(`integration_id=${platform.id}`));
    await page.reload();
    await list(page).getByRole('link', { name: 'taskTeleported' }).waitFor();
    await list(page).getByRole('link', { name: 'taskCreated' }).waitFor({ state: 'detached' });
    await page.getByLabel('State').selectOption('ignored');
    await page.getByText('No received webhook fits these filters.').waitFor();
    await button(page, 'Clear the filters').click();
    await list(page).getByRole('link', { name: 'taskCreated' }).waitFor();
    await close();
  });

  inBrowser('show why they were not applied and their body as it arrived, and are replayed', async () => {
    const platform = await makePlatform();
    const sent = await platform.send('taskTeleported', { data: { name: hostile } });
    const { page, close } = await open({ path: `/admin/inbound/${sent.id}` });
    await page.getByText('unknown_event: the name of the event is not known').waitFor();
    const body = page.getByRole('region', { name: 'Body' });
    expect(await body.locator('pre').textContent()).toBe(sent.body);
    await button(page, 'With line breaks').click();
    await body.getByText('"event": "taskTeleported"').waitFor();
    await page.getByRole('link', { name: `Task platform: ${platform.webhookId}` }).waitFor();
    await button(page, 'Replay').click();
    await page
      .getByRole('alert')
      .getByText(/Request req_/)
      .waitFor();
    const made = await platform.send('taskCreated');
    await page.goto(`/admin/inbound/${made.id}`);
    await page.locator('header').getByText('applied', { exact: true }).waitFor();
    await button(page, 'Replay').click();
    await page.getByText('It is applied again').waitFor();
    const settledAgain = async () => Date.parse((await get(`/v1/inbound-events/${made.id}`)).settled_at);
    while (!((await settledAgain()) > Date.parse(made.settled_at)));
    await page.locator('header').getByText('received', { exact: true }).waitFor({ state: 'detached' });
    await close(409);
  });

  inBrowser('are replayed many at once after counting them, with progress, and cancelled', async () => {
    const platform = await makePlatform();
    // One a second: the replay goes on until it is cancelled, on a busy machine too.
    const count = 40;
    await Promise.all(Array.from({ length: count }, () => platform.post('taskUpdated', tooMany())));
    const failed = async () =>
      (await get(`/v1/inbound-events?integration_id=${platform.id}&state=failed&limit=100`)).data.length;
    await until(async () => (await failed()) === count);
    const { page, close } = await open({ path: `/admin/inbound?state=failed&integration_id=${platform.id}` });
    await list(page).getByText('failed: too_large').nth(2).waitFor();
    await button(page, 'Replay').click();
    await page.getByLabel('Received webhooks per second at most').fill('1');
    await button(page, 'Count').click();
    await page.getByText(`${count} received webhooks match.`).waitFor();
    expect(await failed()).toBe(count);
    await button(page, 'Apply them again').click();
    await page.waitForURL(/replay=/);
    await page.reload();
    const replay = page.getByRole('region', { name: 'Replay' });
    await replay.getByText('running').waitFor();
    await replay.getByRole('button', { name: 'Cancel the replay' }).click();
    await replay.getByText('cancelled').waitFor();
    await button(page, 'Replay').click();
    await button(page, 'Count').click();
    await page.getByText(/received webhooks match/).waitFor();
    await button(page, 'Apply them again').click();
    await replay.getByText('completed').waitFor();
    await close();
  });

  inBrowser('pass axe, light and dark, and fit 360 pixels', async () => {
    const platform = await makePlatform();
    const name = `taskTeleported${'Long'.repeat(20)}`;
    const { id } = await platform.send(name, { task_id: 't'.repeat(60), data: { name: hostile.repeat(20) } });
    const findings = await narrowFindings(['/admin/inbound', `/admin/inbound/${id}`], async (page, path) => {
      await page
        .getByText(/^taskTeleportedLong/)
        .first()
        .waitFor();
      if (!path.endsWith(id)) await button(page, 'Replay').click();
    });
    expect(findings).toEqual([]);
  });
});
