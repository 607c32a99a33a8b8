import { readFileSync } from 'node:fs';
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { makeAgent } from './agent.ts';
import { axeFindings, inBrowser, until, useDashboard } from './dashboard.ts';

const dashboard = useDashboard();
const { narrowFindings, open, get, post } = dashboard;

describe('model usage of agents', () => {
  inBrowser('is on the page of a task and in the analytics, with the rest of budgets', async () => {
    const agent = await makeAgent(dashboard);
    await post('/v1/budgets', { scope: 'role', scope_id: agent.role, unit: 'tokens', period: 'month', limit: 5_000 });
    const { task, act } = await agent.hold();
    const used = { input_tokens: 1_000, output_tokens: 234, source: 'agent', cost_usd: 0.25 };
    await act('model-calls/usage', { call_id: 'a', model: 'example-large-1', ...used });
    await act('model-calls/usage', { call_id: 'b', model: 'example-small-1', input_tokens: 5, source: 'agent' });
    await until(async () => (await get(`/v1/analytics/usage?group_by=task&key=${task.id}`)).total.calls === 2);
    const { page, close } = await open({ path: `/admin/tasks/${task.id}` });
    const said = '2 calls, 1,239 tokens, 0.25 USD (calls without a price: 1)';
    await page.getByText(said).waitFor();
    await page.goto('/admin/analytics');
    const models = page.getByRole('region', { name: 'Models' });
    await models.getByRole('row', { name: 'example-large-1 1,234' }).waitFor();
    await models.getByRole('row', { name: `role ${agent.role}, this month 1,239` }).waitFor();
    const overTime = models.getByRole('figure', { name: 'Cost by day' });
    await overTime.getByText('Numbers').click();
    await overTime.getByRole('row', { name: /0\.25$/ }).waitFor();
    await models.getByText('Calls to models without a price: 1').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const exported = page.waitForEvent('download');
    await models.getByRole('link', { name: 'by role' }).click();
    expect((await exported).suggestedFilename()).toBe('usage-by-role.csv');
    const lines = readFileSync(await (await exported).path(), 'utf8').split('\r\n');
    expect(lines.slice(1, -1).map((line) => line.split(',').slice(1, 4))).toEqual([[agent.role, '2', '1']]);
    await close();
  });
});

describe('budgets', () => {
  inBrowser('are created for a role, raised and deleted, and show how much is used', async () => {
    const agent = await makeAgent(dashboard);
    const { act } = await agent.hold();
    const { page, close } = await open({ path: '/admin/budgets' });
    await page.getByRole('heading', { name: 'Budgets', level: 1 }).waitFor();
    await page.keyboard.press('n');
    await page.getByLabel('Whose calls count').selectOption('role');
    await page.getByRole('combobox', { name: 'Role' }).fill(agent.role);
    await page.getByLabel('Counted in').selectOption('calls');
    await page.getByLabel('For').selectOption('month');
    await page.getByLabel('Limit').fill('1.5');
    expect(await axeFindings(page)).toEqual([]);
    const create = page.getByRole('dialog').getByRole('button', { name: 'Create' });
    await create.click();
    await page.getByText(/whole number of tokens or calls/).waitFor();
    await page.getByLabel('Limit').fill('1');
    await create.click();
    const row = page.getByRole('table', { name: 'Budgets' }).getByRole('row').filter({ hasText: agent.role });
    await row.getByText('1 call for a month (UTC)').waitFor();
    await row.getByText('0 of 1 call').waitFor();
    const use = (callId: string) =>
      act('model-calls/usage', { call_id: callId, model: 'm', input_tokens: 5, source: 'agent' });
    await use('a');
    // The page follows the event of the budget.
    await row.getByText('used up', { exact: true }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await row.getByRole('link', { name: 'Change' }).click();
    await page.getByLabel('Limit').fill('3');
    await page.getByRole('button', { name: 'Save' }).click();
    await row.getByText('1 of 3 calls').waitFor();
    await row.getByText('open', { exact: true }).waitFor();
    const [budget] = (await get(`/v1/budgets?scope_id=${agent.role}`)).data;
    expect(budget).toMatchObject({ scope: 'role', unit: 'calls', period: 'month', limit: 3, warn_at_percent: 80 });
    await row.getByRole('link', { name: 'Change' }).click();
    await page.getByRole('button', { name: 'Delete the budget' }).click();
    await row.waitFor({ state: 'detached' });
    await close(400);
  });

  inBrowser('limit a project or an agent that is chosen by its name', async () => {
    const { name } = await post('/v1/projects', { name: `Limited ${Date.now()}` });
    const { page, close } = await open({ path: '/admin/budgets?new=true' });
    await page.getByLabel('Whose calls count').selectOption('project');
    await page.getByLabel('Project', { exact: true }).selectOption({ label: name });
    await page.getByLabel('Limit').fill('0.25');
    // What was filled in stays when the page is loaded again.
    await page.reload();
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    const row = page.getByRole('table', { name: 'Budgets' }).getByRole('row').filter({ hasText: name });
    await row.getByText('0.25 USD for a day (UTC)').waitFor();
    await close();
  });
});

describe('model prices', () => {
  inBrowser('are added, changed by two people at once with both versions shown, and removed', async () => {
    const { page, close } = await open({ path: '/admin/budgets' });
    await page.getByRole('button', { name: 'Add a price' }).click();
    await page.getByRole('textbox', { name: 'Model' }).fill('ex*ample');
    await page.getByLabel('Input').fill('3');
    await page.getByLabel('Output').fill('15');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/must have \* only at its end/).waitFor();
    await page.getByRole('textbox', { name: 'Model' }).fill('example-*');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('table', { name: 'Model prices' }).getByRole('row').filter({ hasText: 'example-*' });
    await row.getByText('15', { exact: true }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await row.getByRole('link', { name: 'Change' }).click();
    await page.getByLabel('Read from a cache').fill('0.3');
    const changed = { 'example-*': { input: 4, output: 15 } };
    await dashboard.patch('/v1/model-prices', { prices: changed });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await row.getByText('0.3', { exact: true }).waitFor();
    expect((await get('/v1/model-prices')).prices).toMatchObject({ 'example-*': { input: 3, cache_read: 0.3 } });
    await row.getByRole('link', { name: 'Change' }).click();
    await page.getByRole('button', { name: 'Remove the price' }).click();
    await row.waitFor({ state: 'detached' });
    await close(400, 412);
  });
});

inBrowser('budgets and prices fit on a narrow screen', async () => {
  await post('/v1/budgets', { scope: 'tenant', unit: 'tokens', period: 'month', limit: 1_000_000_000_000 });
  await dashboard.patch('/v1/model-prices', { prices: { [`long-${'name-'.repeat(20)}`]: { input: 3, output: 15 } } });
  const shown = (page: Page) => page.getByRole('table', { name: 'Model prices' }).waitFor();
  expect(await narrowFindings(['/admin/budgets'], shown)).toEqual([]);
});
