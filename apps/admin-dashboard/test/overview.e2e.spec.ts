import { readFileSync } from 'node:fs';
import { describe, expect } from '@jest/globals';
import { makeAgent } from './agent.ts';
import { axeFindings, inBrowser, until, useDashboard } from './dashboard.ts';

const dashboard = useDashboard();
const { narrowFindings, open, post } = dashboard;
const hostile = '<img src=x onerror="document.title=1"><script>alert(1)</script>';
const long = `long${'x'.repeat(200)}${hostile}`;

describe('the overview', () => {
  inBrowser('counts what happens as it happens, and says what needs attention and why', async () => {
    const { page, close } = await open({ path: '/admin/' });
    await page.waitForURL('**/admin/overview');
    await page.getByText('Nothing. What waits for a person, is late or has failed is shown here.').waitFor();
    const agent = await makeAgent(dashboard);
    const { task, act } = await agent.hold({ title: long, due_date: '2026-01-02T03:04:05Z' });
    await page.getByRole('link', { name: '1 In progress' }).waitFor();
    const overdue = page.getByRole('region', { name: 'Overdue tasks' });
    await overdue.getByText('in progress, was due').waitFor();
    await act('inputs', { kind: 'question', prompt: hostile });
    const waiting = page.getByRole('region', { name: 'Waits for a person' });
    await waiting.getByText('question of an agent, asked').waitFor();
    await waiting.getByRole('link', { name: hostile }).waitFor();
    await page.getByRole('link', { name: '1 Blocked' }).waitFor();
    await page.getByRole('link', { name: /^1 of \d+ Agents online/ }).waitFor();
    await overdue.getByRole('link').click();
    await page.waitForURL(`**/admin/tasks/${task.id}`);
    await close();
  });

  inBrowser('reads a constant number of lists for any number of tasks, agents and webhooks', async () => {
    await post('/v1/webhooks', { url: 'https://example.com/hook', events: ['task.*'] });
    const { page, close } = await open({});
    // Earlier events may arrive only now, and would cause reloads.
    await page.route('**/v1/events/stream', () => {});
    const read: Record<string, number> = {};
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/v1/')) read[pathname] = (read[pathname] ?? 0) + 1;
    });
    await page.goto('/admin/overview');
    await page.getByRole('link', { name: /In progress$/ }).waitFor();
    await page.getByRole('figure', { name: /^Throughput/ }).waitFor();
    expect(read).toMatchObject({ '/v1/tasks/counts': 1, '/v1/deliveries/dead': 1 });
    const lists = ['/v1/tasks', '/v1/agents', '/v1/webhooks', '/v1/runs', '/v1/inputs'];
    expect(lists.map((path) => [path, read[path]])).toEqual([
      // Overdue, failed and in review; all and online.
      ['/v1/tasks', 3],
      ['/v1/agents', 2],
      ['/v1/webhooks', 1],
      ['/v1/runs', 1],
      ['/v1/inputs', 1],
    ]);
    await close();
  });

  inBrowser('shows failed tasks', async () => {
    const { act } = await (await makeAgent(dashboard)).hold({ title: 'Fails' });
    await act('fail', { reason: 'no way', retryable: false });
    const { page, close } = await open({ path: '/admin/overview' });
    const failed = page.getByRole('region', { name: 'Failed tasks of the last 7 days' });
    await failed.getByRole('link', { name: 'Fails' }).waitFor();
    await failed.getByText(', failed').waitFor();
    await close();
  });

  inBrowser('draws throughput and lateness over time, with the numbers in tables', async () => {
    const { page, close } = await open({ path: '/admin/overview' });
    const throughput = page.getByRole('figure', { name: /^Throughput/ });
    await throughput.locator('svg circle').first().waitFor();
    expect(await throughput.locator('svg circle').count()).toBe(60);
    await throughput.getByText('Numbers').click();
    const rows = throughput.getByRole('row');
    expect(await rows.count()).toBe(31);
    await page
      .getByRole('figure', { name: /^Lateness/ })
      .locator('svg circle')
      .first()
      .waitFor();
    await page
      .getByRole('table', { name: /^Overdue now/ })
      .getByRole('row', { name: /^This month/ })
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await close();
  });
});

describe('the analytics', () => {
  inBrowser('are chosen by period and role in the address, and saved as CSV', async () => {
    const agent = await makeAgent(dashboard);
    await (await agent.hold({ title: 'Done' })).act('complete');
    const { page, close } = await open({ path: '/admin/analytics' });
    const byRole = page.getByRole('table', { name: 'Completed by role' });
    await byRole.waitFor();
    await page
      .getByRole('figure', { name: /by day$/ })
      .first()
      .locator('svg circle')
      .first()
      .waitFor();
    await page.getByLabel('Period', { exact: true }).selectOption('day');
    await page.getByLabel('Role', { exact: true }).selectOption(agent.role);
    await page.waitForURL(/period=day&role=worker-/);
    await page.reload();
    const row = byRole.getByRole('row', { name: `${agent.role} 1`, exact: true });
    await until(async () => {
      await page.getByRole('button', { name: 'Read again' }).click();
      await page.waitForTimeout(200);
      return row.isVisible();
    });
    const throughput = page.getByRole('figure', { name: 'Throughput: tasks by hour' });
    await throughput.getByText('Numbers').click();
    // The hour may end after the task was created.
    const hours = throughput.getByRole('row', { name: /^\d\d:00 (1 1|1 0|0 1)$/ });
    await hours.first().waitFor();
    const numbers = (await hours.allInnerTexts()).map((text) => text.trim().split(/\s+/).slice(1));
    const sumOf = (column: number) => numbers.reduce((sum, row) => sum + Number(row[column]), 0);
    expect([sumOf(0), sumOf(1)]).toEqual([1, 1]);
    const durations = page.getByRole('table', { name: 'Durations by role' });
    await durations.getByRole('row', { name: new RegExp(`^${agent.role} 1 0 \\d+ s \\d+ s \\d+ s \\d+ s$`) }).waitFor();
    const exported = page.waitForEvent('download');
    await page.getByRole('region', { name: 'Durations' }).getByRole('link', { name: 'by agent' }).click();
    expect(readFileSync(await (await exported).path(), 'utf8')).toContain(`\r\n${agent.id},1,0,0,`);
    const download = page.waitForEvent('download');
    await page.keyboard.press('d');
    const file = await download;
    expect(file.suggestedFilename()).toBe(`analytics-day-${agent.role}.csv`);
    const lines = readFileSync(await file.path(), 'utf8').split('\r\n');
    expect(lines[0]).toBe('period,start,end,role,metric,value');
    expect(lines.some((line) => line.endsWith(`,${agent.role},tasks_completed,1`))).toBe(true);
    expect(lines.filter((line) => line.startsWith('hour,') && line.endsWith(',completed,1'))).toHaveLength(1);
    await close();
  });

  inBrowser('show a message without data', async () => {
    const { page, close } = await open({ path: '/admin/analytics?role=unstaffed' });
    await page.getByText('No tasks in this period').waitFor();
    expect(await page.getByLabel('Role', { exact: true }).inputValue()).toBe('unstaffed');
    await close();
  });
});

inBrowser('overview and analytics pass axe, light and dark, and fit 360 pixels', async () => {
  await post('/v1/agents', { name: 'Wide', role: `w${'i'.repeat(60)}de` });
  const findings = await narrowFindings(['/admin/overview', '/admin/analytics?period=year'], async (page, path) => {
    await page.getByRole('table').first().waitFor();
    if (path.endsWith('overview')) await page.getByRole('link', { name: /^long/ }).first().waitFor();
  });
  expect(findings).toEqual([]);
});
