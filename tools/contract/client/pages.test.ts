// What a person does in a browser: signs in, makes a key, sees it work, revokes it, reads the documentation.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { openChromium, openPage, photographed, signIn } from './chromium.ts';

const { CONTRACT_BASE_URL: baseUrl = '' } = process.env;
let browser: Browser;
before(async () => void (browser = await openChromium()));
after(() => browser?.close());

async function statusOf(key: string): Promise<number> {
  const response = await fetch(`${baseUrl}/v1/tasks`, { headers: { 'x-api-key': key } });
  await response.arrayBuffer();
  return response.status;
}

it('a person signs in, makes a key that works, and revokes it', async () => {
  const watched = await openPage(browser, baseUrl);
  const { page } = watched;
  await photographed('keys', watched, async () => {
    await page.goto('/admin/keys');
    await signIn(page);
    await page.getByRole('link', { name: 'Create key' }).click();
    const name = `Browser ${Date.now()}`;
    await page.getByLabel('Name').fill(name);
    await page.getByRole('checkbox', { name: 'tasks:read' }).check();
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = (await page.locator('.secret code').textContent()) ?? '';
    assert.match(key, /^eas_/);
    assert.equal(await statusOf(key), 200);
    await page.getByRole('link', { name: 'Done' }).click();
    await page
      .getByRole('row', { name })
      .getByRole('link', { name: /^Revoke/ })
      .click();
    await page.locator('main form button').click();
    await page.getByText('revoked').first().waitFor();
    for (const deadline = Date.now() + 4_000; (await statusOf(key)) !== 401; await page.waitForTimeout(100))
      if (Date.now() > deadline) throw new Error('the key still works after 4 s');
  });
  assert.deepEqual(watched.complaints, []);
  await watched.close();
});

for (const scheme of ['light', 'dark'] as const)
  it(`the documentation shows every operation and tries one out (${scheme})`, async () => {
    const watched = await openPage(browser, baseUrl, scheme);
    const { page } = watched;
    await photographed(`docs-${scheme}`, watched, async () => {
      const document = (await (await fetch(`${baseUrl}/v1/openapi.json`)).json()) as Record<
        string,
        Record<string, object>
      >;
      const operations = ['paths', 'webhooks'].flatMap((part) =>
        Object.values(document[part] ?? {}).flatMap((item) => Object.keys(item)),
      );
      await page.goto('/docs/');
      await page.locator('.opblock').first().waitFor();
      assert.equal(await page.locator('.opblock').count(), operations.length);
      await page.getByRole('button', { name: 'Authorize' }).first().click();
      await page
        .locator('.auth-container input')
        .first()
        .fill(process.env['CONTRACT_API_KEY'] ?? '');
      await page.locator('.auth-container button[type=submit]').first().click();
      await page.locator('.modal-ux .close-modal').click();
      const operation = page.locator('.opblock', { hasText: '/v1/analytics/performance' });
      await operation.locator('.opblock-summary-control').click();
      await operation.getByRole('button', { name: 'Try it out' }).click();
      await operation.getByRole('button', { name: 'Execute' }).click();
      const status = operation.locator('.live-responses-table tbody .response-col_status');
      assert.match((await status.textContent()) ?? '', /^200/);
    });
    assert.deepEqual(watched.complaints, []);
    await watched.close();
  });
