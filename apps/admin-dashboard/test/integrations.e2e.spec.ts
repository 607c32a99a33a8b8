import { createHmac } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { axeFindings, inBrowser, overflowOf, useDashboard } from './dashboard.ts';

const dashboard = useDashboard();
const { open, get, post, patch } = dashboard;
const hostile = '<img src=x onerror="document.title=1"><script>alert(1)</script>';
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('integrations', () => {
  inBrowser('are connected step by step, with the address and a secret that sign what comes', async () => {
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

  inBrowser('are changed, rotated, disconnected and connected again', async () => {
    const { id } = await post('/v1/integrations', {
      type: 'github',
      org_name: 'other',
      secret: 'a secret of some length',
      labels: { one: 'worker', two: 'worker' },
    });
    const { page, close, complaints } = await open({ path: `/admin/integrations/${id}` });
    await button(page, 'Change').click();
    await page.getByLabel('Repositories').fill('web, api');
    await page.getByLabel('Labels').fill('one = worker');
    await patch(`/v1/integrations/${id}`, { silence_alarm_hours: 5 });
    await button(page, 'Save').click();
    await page.getByText('Alarm after hours of silence: 5').waitFor();
    await page.getByLabel('Alarm after hours of silence').fill('5');
    await button(page, 'Keep mine, to save it over this').click();
    await button(page, 'Save').click();
    await page.getByText('Integration changed').waitFor();
    expect(await get(`/v1/integrations/${id}`)).toMatchObject({
      repositories: ['web', 'api'],
      labels: { one: 'worker' },
      silence_alarm_hours: 5,
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
    complaints.splice(0);
    await close();
  });

  inBrowser('say what the API refused at a reconciliation without a token, and at the field of a form', async () => {
    const { id } = await post('/v1/integrations', { type: 'taskplatform', secret: 'a secret of some length' });
    const { page, close, complaints } = await open({ path: `/admin/integrations/${id}` });
    await button(page, 'Reconcile').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reconcile' }).click();
    await page.getByRole('dialog').getByText(/token/).first().waitFor();
    await page.goto('/admin/integrations?connect=taskplatform');
    await page.getByLabel('Status words').fill('doing = nonsense');
    await button(page, 'Connect').last().click();
    await page.getByRole('dialog').locator('[aria-invalid=true][name=status_map]').waitFor();
    complaints.splice(0);
    await close();
  });

  inBrowser('have nothing that axe finds, light and dark, and fit 360 pixels', async () => {
    const chat = await post('/v1/integrations', {
      type: 'slack',
      workspace_name: `${'long'.repeat(40)} ${hostile}`.slice(0, 200),
    });
    const paths = ['', '?connect=choose', '?connect=slack', '?connect=taskplatform', `/${chat.id}`];
    for (const colorScheme of ['light', 'dark'] as const)
      for (const path of paths) {
        const { page, close } = await open({ path: `/admin/integrations${path}`, colorScheme, width: 360 });
        await page
          .getByText(/longlong/)
          .first()
          .waitFor();
        expect(await axeFindings(page)).toEqual([]);
        expect(await overflowOf(page)).toEqual([]);
        await close();
      }
  });
});
