import { readFileSync } from 'node:fs';
import { describe, expect } from '@jest/globals';
import { makeAgent } from './agent.ts';
import { axeFindings, inBrowser, until, useDashboard } from './dashboard.ts';

const dashboard = useDashboard();
const { open, get, post } = dashboard;

describe('what agents used models for', () => {
  inBrowser('is on the page of a task and in the analytics, with what is left of budgets', async () => {
    const agent = await makeAgent(dashboard);
    await post('/v1/budgets', { scope: 'role', scope_id: agent.role, unit: 'tokens', period: 'day', limit: 5_000 });
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
    await models.getByRole('row', { name: `role ${agent.role}, this day 1,239` }).waitFor();
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
