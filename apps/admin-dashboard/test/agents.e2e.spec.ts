import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { makeAgent } from './agent.ts';
import { anotherMachine } from './coding-agents.ts';
import { axeFindings, inBrowser, type Json, useDashboard } from './dashboard.ts';

const dashboard = useDashboard();
const { narrowFindings, open, get, post, address } = dashboard;
const hostile = '<img src=x onerror="document.title=1"><script>alert(1)</script>';
let runners = 0;
const titled = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true });

describe('the agents', () => {
  inBrowser('say what to do while the list is empty; the first one gets a key', async () => {
    const { page, close } = await open({ path: '/admin/agents?role=unstaffed' });
    await page.getByText('No agent fits these filters.').waitFor();
    await page.keyboard.press('n');
    await page.getByRole('link', { name: 'Register an agent' }).click();
    await page.getByLabel('Name').fill(hostile);
    await page.getByLabel('Role', { exact: true }).last().fill('scribe');
    await page.getByLabel('Capabilities').fill('english, german');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('button', { name: 'Make the key' }).click();
    const key = await page.getByLabel('Key', { exact: true }).inputValue();
    const dialog = page.getByRole('dialog');
    const { mcpServers } = JSON.parse(await dialog.getByLabel('MCP configuration', { exact: true }).inputValue());
    expect(mcpServers.engineering).toMatchObject({ url: `${address()}/mcp`, headers: { 'X-API-Key': key } });
    expect(await axeFindings(page)).toEqual([]);
    const response = await fetch(`${address()}/v1/agents/me`, { headers: { 'x-api-key': key } });
    expect(await response.json()).toMatchObject({ name: hostile, capabilities: ['english', 'german'] });
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await titled(page, hostile).waitFor();
    expect(await page.content()).not.toContain(key);
    const command = await page.getByLabel('Runner command', { exact: true }).inputValue();
    expect(command).toContain(`agent start claude --role scribe --url ${address()} --key-file agent.key`);
    await close();
  });

  inBrowser('are added with one line for another machine, which starts a coding agent there', async () => {
    const { page, close } = await open({ path: '/admin/agents' });
    await page.getByRole('button', { name: 'Add an agent' }).click();
    await titled(page, 'Add an agent').waitFor();
    await page.getByLabel('Role').fill('elsewhere');
    await page.getByLabel('Coding agent').selectOption('Gemini CLI');
    await page.getByRole('button', { name: 'Make the command' }).click();
    const line = await page.getByLabel('Command', { exact: true }).inputValue();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Done' }).click();
    await titled(page, 'Gemini CLI elsewhere').waitFor();
    await page.getByText('offline').waitFor();
    const machine = anotherMachine();
    const end = machine.paste(line);
    await page.locator('header').getByText('online').waitFor();
    await end();
    machine.remove();
    await close();
  });

  inBrowser('show what each one holds, as it is claimed', async () => {
    const agent = await makeAgent(dashboard);
    const { page, close } = await open({ path: `/admin/agents?role=${agent.role}` });
    const row = page.getByRole('table', { name: 'Agents' }).getByRole('row').nth(1);
    await row.getByText('0 of 1').waitFor();
    const { task } = await agent.hold({ title: hostile });
    await row.getByText('1 of 1').waitFor();
    await row.getByText('online').waitFor();
    await row.getByRole('link', { name: hostile }).waitFor();
    await row.getByRole('link', { name: agent.role, exact: true }).click();
    await page.getByRole('region', { name: 'Current tasks' }).getByRole('link', { name: hostile }).click();
    await titled(page, hostile).waitFor();
    expect(page.url()).toContain(task.id);
    await close();
  });

  inBrowser('are paused, resumed, drained and deleted, the last two after asking', async () => {
    const { id } = await post('/v1/agents', { name: 'Short', role: 'short' });
    const { page, close } = await open({ path: `/admin/agents/${id}` });
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('idle, paused').waitFor();
    expect(await get(`/v1/agents/${id}`)).toMatchObject({ accepting: false });
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Drain', exact: true }).click();
    await page.getByRole('button', { name: 'Drain the agent' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete the agent' }).click();
    await titled(page, 'Agents').waitFor();
    await expect(get(`/v1/agents/${id}`)).rejects.toThrow('404');
    await close();
  });

  inBrowser('are changed by two people at once only with both versions shown', async () => {
    const { id } = await post('/v1/agents', { name: 'First', role: 'twice' });
    const { page, close } = await open({ path: `/admin/agents/${id}` });
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Name').fill('Mine');
    const other = await open({ path: `/admin/agents/${id}` });
    await other.page.getByRole('button', { name: 'Edit' }).click();
    await other.page.getByLabel('Name').fill('Theirs');
    await other.page.getByRole('button', { name: 'Save' }).click();
    await titled(other.page, 'Theirs').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    const versions = page.getByRole('alert').getByRole('row', { name: /^Name/ }).getByRole('cell');
    await versions.first().waitFor();
    expect(await versions.allTextContents()).toEqual(['Theirs', 'Mine']);
    expect(await page.getByLabel('Name').inputValue()).toBe('Mine');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await titled(page, 'Mine').waitFor();
    expect(await get(`/v1/agents/${id}`)).toMatchObject({ name: 'Mine' });
    await other.close();
    await close(412);
  });
});

/** A runner of a new agent: as it registers, with what it is working on. */
async function makeRunner(more: object = {}): Promise<Json> {
  const agent = await post('/v1/agents', { name: `Runs ${(runners += 1)}`, role: 'running' });
  const program = { preset: 'claude', preset_title: 'Claude Code', agent_version: '0.101.0' };
  const process = {
    instance: 'one',
    host: `build-${runners}`,
    os: 'linux',
    pid: 4_711,
    version: '0.1.0',
    concurrency: 2,
  };
  const runner = await post('/v1/runners', { agent_id: agent.id, ...program, ...process, ...more });
  await post(`/v1/runners/${runner.id}/heartbeat`, { running: 1 });
  return { ...runner, agent };
}

describe('the runners', () => {
  inBrowser('are listed with their host, program and load, and are drained after asking', async () => {
    const { id, host, agent } = await makeRunner();
    await makeRunner({ preset: null, preset_title: null, agent_version: null, host: hostile });
    const { page, close } = await open({ path: '/admin/agents' });
    await page.getByRole('link', { name: 'Runners' }).click();
    await titled(page, 'Runners').waitFor();
    const table = page.getByRole('table', { name: 'Runners' });
    await table.getByText(hostile).waitFor();
    const row = table.getByRole('row').filter({ hasText: host });
    for (const text of ['online', 'Claude Code 0.101.0', '0.1.0', '1 of 2'])
      await row.getByText(text).first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await row.getByRole('button', { name: `Drain the runner on ${host}` }).click();
    await page.getByRole('button', { name: 'Drain the runner', exact: true }).click();
    await row.getByText('draining').waitFor();
    expect(await get(`/v1/runners/${id}`)).toMatchObject({ draining: true });
    await page.getByLabel('Presence').selectOption('offline');
    await page.getByText('No runner fits these filters.').waitFor();
    await page.getByLabel('Presence').selectOption('');
    await row.getByRole('link', { name: agent.name }).click();
    await titled(page, agent.name).waitFor();
    await page.getByRole('region', { name: 'Runners' }).getByText(`${host} draining`).waitFor();
    await page.getByRole('link', { name: 'All runners of this agent' }).click();
    await row.waitFor();
    expect(await table.getByRole('row').count()).toBe(2);
    await close();
  });

  inBrowser('show by themselves that one is offline, which can be removed', async () => {
    const { id, agent, host } = await makeRunner();
    const { page, close } = await open({});
    await page.clock.install();
    await page.goto(`/admin/agents/${agent.id}`);
    const region = page.getByRole('region', { name: 'Runners' });
    await region.getByText('online').waitFor();
    await page.route('**/v1/runners?*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll('"online"', '"offline"') });
    });
    await page.clock.fastForward(16_000);
    await region.getByRole('button', { name: `Remove the runner on ${host}` }).click();
    await region.getByText('None.').waitFor();
    await expect(get(`/v1/runners/${id}`)).rejects.toThrow('404');
    await close();
  });
});

inBrowser('the pages of agents pass axe, light and dark, and fit 360 pixels', async () => {
  const agent = { name: `long${hostile}${'x'.repeat(100)}`, role: 'wide', capabilities: ['c'.repeat(64)] };
  const { id } = await post('/v1/agents', agent);
  await post('/v1/runners', {
    agent_id: id,
    instance: 'i',
    host: `long${'h'.repeat(250)}`,
    version: '1',
    concurrency: 1,
  });
  const paths = [
    '/admin/agents?role=wide',
    `/admin/agents/${id}`,
    `/admin/agents/runners?agent_id=${id}`,
    '/admin/agents/add',
  ];
  const shown = (page: Page, path: string) =>
    path.endsWith('add')
      ? page.getByText('On another machine').waitFor()
      : page.getByText(/^long/).filter({ visible: true }).first().waitFor();
  expect(await narrowFindings(paths, shown)).toEqual([]);
});
