// What a person does in a browser: signs in, makes a key, sees it work, revokes it, reads the documentation.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, it } from 'node:test';
import type Axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
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
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByLabel('Name').fill(`Browser ${Date.now()}`);
    await page.getByRole('checkbox', { name: /^tasks:read/ }).check();
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByLabel('Key', { exact: true }).inputValue();
    assert.match(key, /^eas_/);
    assert.equal(await statusOf(key), 200);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByText('revoked', { exact: true }).waitFor();
    // A check that began within that time counts, however late its result.
    const deadline = Date.now() + 4_000;
    for (let isLate = false; (await statusOf(key)) !== 401; await page.waitForTimeout(100)) {
      if (isLate) throw new Error('the key still works after 4 s');
      isLate = Date.now() > deadline;
    }
  });
  assert.deepEqual(watched.complaints, []);
  await watched.close();
});

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Findings of axe for WCAG 2.1 A and AA on the page in its present state: rule, number of elements, the first of them. Dark
 * colours are checked for contrast only: nothing else differs.
 */
async function axeFindings(page: Page, scheme: 'light' | 'dark'): Promise<string[]> {
  await page.evaluate(axeSource);
  const runOnly = scheme === 'dark' ? ['color-contrast'] : ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as { axe: typeof Axe };
    const { violations } = await axe.run(document, { runOnly: only });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.length}, as ${nodes[0]?.html}`);
  }, runOnly);
}

/** Names of all operations and webhook events of the document. */
async function operationIds(): Promise<string[]> {
  type Item = Record<string, { operationId?: string }>;
  const document = (await (await fetch(`${baseUrl}/v1/openapi.json`)).json()) as Record<string, Record<string, Item>>;
  const items = ['paths', 'webhooks'].flatMap((part) => Object.values(document[part] ?? {}));
  return items.flatMap((item) => Object.values(item).flatMap(({ operationId }) => operationId ?? []));
}

/** Of all sections, each opened and closed again; events are always shown. */
async function countOperations(page: Page): Promise<number> {
  const blocks = page.locator('.opblock');
  const events = await blocks.count();
  let count = events;
  for (const section of await page.locator('.opblock-tag').all()) {
    await section.click();
    await section.and(page.locator('[data-is-open=true]')).waitFor();
    count += (await blocks.count()) - events;
    await section.click();
    await section.and(page.locator('[data-is-open=false]')).waitFor();
  }
  return count;
}

async function authorize(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  assert.deepEqual(await axeFindings(page, scheme), []);
  await page
    .locator('.auth-container input')
    .first()
    .fill(process.env['CONTRACT_API_KEY'] ?? '');
  await page.locator('.auth-container button[type=submit]').first().click();
  await page.getByRole('button', { name: 'Close' }).first().click();
}

for (const scheme of ['light', 'dark'] as const)
  it(`the documentation shows every operation, is accessible, and tries one out (${scheme})`, async () => {
    const watched = await openPage(browser, baseUrl, scheme);
    const { page } = watched;
    await photographed(`docs-${scheme}`, watched, async () => {
      const operations = await operationIds();
      await page.goto('/docs/');
      await page.locator('.opblock-tag').first().waitFor();
      assert.equal(await page.locator('#contents a').count(), operations.length);
      if (scheme === 'light') assert.equal(await countOperations(page), operations.length);
      assert.deepEqual(await axeFindings(page, scheme), []);
      await authorize(page, scheme);
      await page.locator('#contents summary', { hasText: 'Tasks' }).press('Enter');
      await page.getByRole('link', { name: 'POST Create a task' }).press('Enter');
      await page.locator('.opblock.is-open', { hasText: 'Create a task' }).waitFor();
      await page.locator('.opblock.is-open').getByRole('tab', { name: 'Schema' }).first().click();
      assert.deepEqual(await axeFindings(page, scheme), []);
      await page.locator('.opblock-tag[data-tag=Analytics]').click();
      const operation = page.locator('.opblock', { hasText: 'Get performance metrics' });
      await operation.locator('.opblock-summary-control').press('Enter');
      await operation.getByRole('button', { name: 'Try it out' }).click();
      await operation.getByRole('button', { name: 'Execute' }).click();
      const status = operation.locator('.live-responses-table tbody .response-col_status');
      assert.match((await status.textContent()) ?? '', /^200/);
      assert.deepEqual(await axeFindings(page, scheme), []);
    });
    assert.deepEqual(watched.complaints, []);
    await watched.close();
  });
