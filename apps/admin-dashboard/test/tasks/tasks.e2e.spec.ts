import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { makeAgent } from '../agent.ts';
import { axeFindings, inBrowser, until, useDashboard } from '../dashboard.ts';

const dashboard = useDashboard();
const { narrowFindings, open, get, post } = dashboard;
const hostile = '<img src=x onerror="document.title=1"><script>alert(1)</script>';
/** A task with a role that no agent of these tests has, so that none claims it. */
const addTask = (title: string, more: object) =>
  post('/v1/tasks', { title, description: 'x', assigned_role: 'pm', ...more });
const titled = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true });

describe('the list of tasks', () => {
  inBrowser('shows a task that is created in another browser, without a reload', async () => {
    const watching = await open({ path: '/admin/tasks' });
    await watching.page.getByText('No task fits these filters.').waitFor();
    const { page, close } = await open({ path: '/admin/tasks' });
    await titled(page, 'Tasks').waitFor();
    await page.keyboard.press('n');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type(hostile);
    expect(await page.getByLabel('Title').inputValue()).toBe(hostile);
    await page.getByLabel('Description').fill(hostile);
    await page.getByLabel('Priority', { exact: true }).last().selectOption('urgent');
    await page.getByLabel('Role', { exact: true }).last().fill('pm');
    await page.getByLabel('Tags').fill('first, second');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await titled(page, hostile).waitFor();
    await watching.page.getByRole('link', { name: hostile }).waitFor();
    const { data } = await get('/v1/tasks');
    expect(await get(`/v1/tasks/${data[0].id}`)).toMatchObject({
      priority: 'urgent',
      assigned_role: 'pm',
      tags: ['first', 'second'],
    });
    await watching.close();
    await close();
  });

  inBrowser('keeps a half-filled form, and shows errors at their fields', async () => {
    const { page, close } = await open({ path: '/admin/tasks?new=true' });
    await page.getByLabel('Title').fill('Half filled');
    await page.getByLabel('Priority', { exact: true }).last().selectOption('low');
    await page.getByLabel('Due', { exact: true }).last().fill('2031-01-02T03:04');
    await page.getByLabel('A person reviews the work').check();
    await page.reload();
    expect(await page.getByLabel('Title').inputValue()).toBe('Half filled');
    expect(await page.getByLabel('Priority', { exact: true }).last().inputValue()).toBe('low');
    expect(await page.getByLabel('Due', { exact: true }).last().inputValue()).toBe('2031-01-02T03:04');
    expect(await page.getByLabel('A person reviews the work').isChecked()).toBe(true);
    await page.getByLabel('Tags').fill(`good, ${'long'.repeat(100)}`);
    await page.getByLabel('Description').fill('More');
    await page.getByLabel('Role', { exact: true }).last().fill('no role!');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.locator('[aria-invalid=true][name=assigned_role]').waitFor();
    await page.locator('[aria-invalid=true][name=tags]').waitFor();
    await page.getByText(/^Request req_/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await close(400);
  });

  inBrowser('has filters and views in the address, and a column of tasks for each status', async () => {
    const task = await addTask('Low one', { priority: 'low', tags: ['filtered'] });
    const { page, close } = await open({ path: '/admin/tasks' });
    await page.getByLabel('Priority', { exact: true }).first().selectOption('low');
    await page.getByLabel('Tag').fill('filtered');
    await page.keyboard.press('Enter');
    await page.getByLabel('Agent', { exact: true }).selectOption('No agent');
    await page.getByRole('link', { name: 'Low one' }).waitFor();
    await page.waitForURL(/priority=low.*tag=filtered.*assigned_agent=none/);
    await page.getByRole('button', { name: 'Board' }).click();
    await page.reload();
    await page.getByRole('region', { name: 'Created' }).getByText('Low one').click();
    await titled(page, 'Low one').waitFor();
    expect(page.url()).toContain(`/admin/tasks/${task.id}`);
    await close();
  });

  inBrowser('saves filters under a name, which are available in another browser', async () => {
    await addTask('Viewed', { priority: 'low', tags: ['viewed'] });
    const { page, close } = await open({ path: '/admin/tasks?priority=low&tag=viewed&view=board' });
    await page.getByRole('button', { name: 'Save as view' }).click();
    await page.getByLabel('Name').fill(hostile);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(/saved=viw_/);
    const other = await open({ path: '/admin/tasks' });
    await other.page.getByLabel('Use a view').selectOption({ label: hostile });
    await other.page.waitForURL(/priority=low/);
    await other.page.getByRole('region', { name: 'Created' }).getByText('Viewed').waitFor();
    expect(await other.page.getByLabel('Tag').inputValue()).toBe('viewed');
    await other.page.getByRole('button', { name: 'Delete view' }).click();
    await other.page.getByRole('button', { name: 'Delete the view' }).click();
    await other.page.getByLabel('Use a view').waitFor({ state: 'detached' });
    expect(new URL(other.page.url()).search).toBe('');
    await page.reload();
    await page.getByRole('button', { name: 'Save as view' }).waitFor();
    expect(await page.getByLabel('Use a view').count()).toBe(0);
    await other.close();
    await close();
  });

  inBrowser('creates tasks from a template', async () => {
    const { page, close } = await open({ path: '/admin/tasks?new=true' });
    await page.getByLabel('Title').fill('Weekly report');
    await page.getByLabel('Description').fill('All of it.');
    await page.getByLabel('Role', { exact: true }).last().fill('pm');
    await page.getByLabel('Priority', { exact: true }).last().selectOption('high');
    await page.getByLabel('Tags').fill('weekly');
    await page.getByLabel('A person reviews the work').check();
    await page.getByLabel('Due', { exact: true }).fill('2031-01-02T03:04');
    await page.getByRole('button', { name: 'Save as template' }).click();
    await page.getByLabel('Name').fill('Report');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await page.getByLabel('Due', { exact: true }).inputValue()).toBe('2031-01-02T03:04');
    await page.evaluate(() => sessionStorage.clear());
    await page.goto('/admin/tasks?new=true');
    await page.getByLabel('Title').fill('Typed before');
    await page.getByLabel('Use a template').selectOption({ label: 'Report' });
    await page.getByText('Replace what you typed?').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Typed before');
    await page.getByRole('button', { name: 'Use the template' }).click();
    await page.getByText('Replace what you typed?').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Title').inputValue()).toBe('Weekly report');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByLabel('Title').fill('Report of this week');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await titled(page, 'Report of this week').waitFor();
    expect(await get(`/v1/tasks/${page.url().split('/').at(-1)}`)).toMatchObject({
      description: 'All of it.',
      assigned_role: 'pm',
      priority: 'high',
      tags: ['weekly'],
      contract: { review: { person: true } },
    });
    await close();
  });

  inBrowser('shows an error that belongs to no field of the form, with the request ID', async () => {
    const contract = { artifacts: ['nothing known'] };
    const template = { kind: 'task_template', name: 'Wrong', data: { title: 'Refused', description: 'x', contract } };
    const { page, close } = await open({ path: '/admin/tasks' });
    await page.evaluate(async (view) => {
      const { csrf_token: token } = (await (await fetch('/admin/api/session')).json()) as { csrf_token: string };
      const headers = { 'x-csrf-token': token, 'content-type': 'application/json' };
      await fetch('/admin/api/views', { method: 'POST', headers, body: JSON.stringify(view) });
    }, template);
    await page.goto('/admin/tasks?new=true');
    await page.getByLabel('Use a template').selectOption({ label: 'Wrong' });
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const note = page.getByRole('dialog').getByRole('alert');
    await note.getByText('contract.artifacts').first().waitFor();
    await note.getByText(/^Request req_/).waitFor();
    await close(400);
  });

  inBrowser('reads page after page while it is scrolled, and renders only visible rows', async () => {
    for (let count = 0; count < 230; count += 10)
      await Promise.all(Array.from({ length: 10 }, (_, at) => addTask(`Row ${count + at}`, { tags: ['many'] })));
    const { page, close } = await open({ path: '/admin/tasks?tag=many' });
    const table = page.getByRole('table', { name: 'Tasks' });
    await table.getByRole('link').first().waitFor();
    expect(await table.getAttribute('aria-rowcount')).toBe('231');
    const last = table.locator('[aria-rowindex="231"]');
    await until(async () => {
      await table.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await page.waitForTimeout(100);
      return last.isVisible();
    });
    await last.getByRole('link', { name: /^Row \d$/ }).waitFor();
    expect(await table.getByRole('row').count()).toBeLessThan(80);
    await close();
  });
});

describe('the page of a task', () => {
  inBrowser('shows progress, artifacts and comments as they come, as text', async () => {
    const { task, act } = await (await makeAgent(dashboard)).hold({ title: hostile, metadata: { [hostile]: hostile } });
    const { page, close } = await open({ path: `/admin/tasks/${task.id}` });
    await titled(page, hostile).waitFor();
    await act('progress', { percent_complete: 40, milestones: [{ name: hostile, completed: true }] });
    await page.getByText('40 % done').waitFor();
    await act('artifacts', { kind: 'link', title: hostile, url: 'https://example.com/?<script>' });
    await page.getByRole('link', { name: hostile }).waitFor();
    await page.getByLabel('Comment or message').fill(`${hostile} comment`);
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByRole('region', { name: 'Timeline' }).getByText(`${hostile} comment`).waitFor();
    await page.getByLabel('Comment or message').fill('Go left');
    await page.getByRole('button', { name: 'Message the agent' }).click();
    await page.getByText('Message sent').waitFor();
    expect((await act('heartbeat')).directives).toMatchObject([{ content: 'Go left' }]);
    expect(await page.title()).toContain(hostile);
    await close();
  });

  inBrowser('hands a task over, cancels it after asking, and retries it', async () => {
    const [agent, other] = [await makeAgent(dashboard), await makeAgent(dashboard)];
    const task = await agent.addTask();
    const { page, close } = await open({ path: `/admin/tasks/${task.id}` });
    await page.getByRole('button', { name: 'Hand over' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Agent').selectOption({ label: `${agent.role} (${agent.role})` });
    await dashboard.patch(`/v1/tasks/${task.id}`, { assigned_agent: other.id });
    await dialog.getByRole('button', { name: 'Hand over' }).click();
    await dialog.getByText('Somebody else changed it meanwhile.').waitFor();
    await dialog.getByRole('cell', { name: other.id }).waitFor();
    await dialog.getByRole('button', { name: 'Save mine over it' }).click();
    await page.getByText('Task handed over').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel the task' }).click();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('button', { name: 'Retry the task' }).click();
    await page.getByText('Task reopened').waitFor();
    expect(await get(`/v1/tasks/${task.id}`)).toMatchObject({ status: 'open' });
    await close(412);
  });

  inBrowser('reports an invalid address with the request ID', async () => {
    const { page, close } = await open({ path: '/admin/tasks/tsk_0' });
    await page.getByText('Not found').waitFor();
    await page.getByText(/^Request req_/).waitFor();
    await close(404);
  });
});

inBrowser('the pages of tasks pass axe, light and dark, and fit 360 pixels', async () => {
  const { task, act } = await (
    await makeAgent(dashboard)
  ).hold({
    title: `${'long'.repeat(60)} ${hostile}`,
    description: 'word'.repeat(200),
    tags: ['t'.repeat(64)],
    metadata: { ['key'.repeat(20)]: 'value'.repeat(50) },
  });
  await act('progress', { percent_complete: 10, milestones: [{ name: 'part'.repeat(50), completed: false }] });
  const paths = ['/admin/tasks', '/admin/tasks?view=board', `/admin/tasks/${task.id}`];
  expect(await narrowFindings(paths, (page) => page.getByText(/^long/).first().waitFor())).toEqual([]);
});
