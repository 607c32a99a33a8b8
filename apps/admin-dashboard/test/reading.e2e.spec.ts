import { describe, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { makeAgent } from './agent.ts';
import { axeFindings, inBrowser, until, useDashboard } from './dashboard.ts';
import { peopleOf, personalPassword } from './people.ts';

const dashboard = useDashboard();
const { open, post } = dashboard;
const { makeUser, openAs } = peopleOf(dashboard);
const titled = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true });
/** The value of a fact, by its name. */
const fact = (page: Page, name: string) =>
  page.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('xpath=../dd');
const isCut = (element: Locator) => element.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);

describe('a task', () => {
  inBrowser('wraps its facts between words next to a long metadata name', async () => {
    const metadata = { a_name_of_exactly_thirty_six_letters: 'and a value of some words' };
    const task = await post('/v1/tasks', {
      title: 'Long fact',
      description: 'x',
      assigned_role: 'unstaffed-reading',
      metadata,
    });
    const { page, close } = await open({ path: `/admin/tasks/${task.id}` });
    await titled(page, 'Long fact').waitFor();
    const id = fact(page, 'ID');
    const { width, height } = (await id.boundingBox()) ?? { width: 0, height: 0 };
    expect(width).toBeGreaterThan(120);
    expect(height).toBeLessThan(100);
    await close();
  });

  inBrowser('warns when no agent has its role, and names the agent that works on it', async () => {
    await post('/v1/tasks', { title: 'Waits in vain', description: 'x', assigned_role: 'unstaffed-waits' });
    const agent = await makeAgent(dashboard);
    const { page, close } = await open({ path: '/admin/tasks' });
    const row = page.getByRole('row').filter({ hasText: 'Waits in vain' });
    await row.getByText('no agent has this role', { exact: false }).waitFor();
    await row.getByRole('link').click();
    await fact(page, 'Role').getByText('no agent has this role', { exact: false }).waitFor();
    await fact(page, 'Waits for').getByText('an agent').waitFor();
    const { task } = await agent.hold({ title: 'Worked on' });
    await page.goto(`/admin/tasks/${task.id}`);
    await fact(page, 'Worked on')
      .getByText(/^since/)
      .waitFor();
    expect(await fact(page, 'Waits for').count()).toBe(0);
    expect(await page.getByText('no agent has this role', { exact: false }).count()).toBe(0);
    await close();
  });

  inBrowser('in Arabic or Hebrew is read from right to left', async () => {
    const [arabic, hebrew] = [
      '\u0625\u0635\u0644\u0627\u062d \u062a\u0633\u062c\u064a\u0644 \u0627\u0644\u062f\u062e\u0648\u0644',
      '\u05ea\u05d9\u05e7\u05d5\u05df \u05d4\u05db\u05e0\u05d9\u05e1\u05d4',
    ];
    const task = await post('/v1/tasks', { title: arabic, description: hebrew, tags: [hebrew] });
    await post(`/v1/tasks/${task.id}/comments`, { content: arabic });
    const { page, close } = await open({ path: `/admin/tasks/${task.id}` });
    await titled(page, arabic).waitFor();
    const directionOf = (element: Locator) => element.evaluate((one) => getComputedStyle(one).direction);
    const texts = [titled(page, arabic), page.getByText(hebrew).first(), page.getByRole('listitem').getByText(arabic)];
    for (const text of texts) expect(await directionOf(text)).toBe('rtl');
    const field = page.getByLabel('Comment or message');
    await field.fill(hebrew);
    expect(await directionOf(field)).toBe('rtl');
    await page.goto('/admin/tasks');
    expect(await directionOf(page.getByRole('cell').filter({ hasText: arabic }))).toBe('rtl');
    expect(await directionOf(page.getByRole('cell').filter({ hasText: 'Waits in vain' }))).toBe('ltr');
    await close();
  });
});

inBrowser('exact times fit into lists', async () => {
  await makeAgent(dashboard);
  const { page, close } = await open({ path: '/admin/agents' });
  const times = page.getByRole('cell').locator('time');
  const cell = page
    .getByRole('cell')
    .filter({ has: page.locator('time') })
    .first();
  const expectExactTimes = async () => {
    await times
      .getByText(/\d, \d\d:\d\d:\d\d$/)
      .first()
      .waitFor();
    expect(await isCut(cell)).toBe(false);
  };
  await times.first().waitFor();
  await page.keyboard.press('E');
  await expectExactTimes();
  await page.goto('/admin/tasks');
  await expectExactTimes();
  await page.keyboard.press('E');
  await close();
});

inBrowser('the inbox shows what j and k choose', async () => {
  const agent = await makeAgent(dashboard);
  const { act } = await agent.hold();
  for (let count = 0; count < 20; count += 1)
    await act('inputs', { kind: 'question', prompt: `Question ${count}?`, blocking: false });
  const { page, close } = await open({ path: '/admin/inbox' });
  /** Which item is chosen, if it is in view. */
  const chosen = () =>
    page.getByRole('list', { name: 'Waiting' }).evaluate((list) => {
      const items = [...list.querySelectorAll('button')];
      const at = items.findIndex((item) => item.getAttribute('aria-current') === 'true');
      const { top = -1, bottom = 0 } = items[at]?.getBoundingClientRect() ?? {};
      return top >= 0 && bottom <= innerHeight ? at : undefined;
    });
  await page.getByText('Question 19?').first().waitFor();
  await until(async () => (await chosen()) === 0);
  for (let at = 1; at < 20; at += 1) {
    await page.keyboard.press('j');
    await until(async () => (await chosen()) === at);
  }
  for (let at = 18; at >= 0; at -= 1) {
    await page.keyboard.press('k');
    await until(async () => (await chosen()) === at);
  }
  await close();
});

inBrowser('an agent has the same load on its page as in the list: what it works on now', async () => {
  const { id, role } = await post('/v1/agents', { name: 'Loaded', role: 'loaded', max_concurrent_tasks: 8 });
  for (let count = 0; count < 3; count += 1)
    await post('/v1/tasks', { title: `Load ${count}`, description: 'x', assigned_agent: id, assigned_role: role });
  await post(`/v1/agents/${id}/claims`, { wait_seconds: 20 });
  const { page, close } = await open({ path: '/admin/agents' });
  await page.getByRole('row').filter({ hasText: 'Loaded' }).getByText('1 of 8').waitFor();
  await page.goto(`/admin/agents/${id}`);
  await fact(page, 'Load').getByText('1 of 8 tasks').waitFor();
  const tasks = page.getByRole('region', { name: 'Current tasks' });
  await tasks.getByRole('listitem').filter({ hasText: 'Load 0' }).getByText('In progress').waitFor();
  await tasks
    .getByRole('listitem')
    .filter({ hasText: 'Load 2' })
    .getByText(/Created|Open/)
    .waitFor();
  await close();
});

inBrowser('an unknown address shows an error page with status 404', async () => {
  const { page, close } = await open({});
  for (const path of ['/admin/foo', '/admin/tasks/a/b/c/d']) {
    const response = await page.goto(path);
    expect([response?.status(), response?.headers()['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  }
  await page.getByRole('link', { name: 'Go to the start page' }).click();
  await titled(page, 'Overview').waitFor();
  await page.goto('/admin/inbox/nothing');
  await page.getByText('The address leads to no page.').waitFor();
  await close(404);
});

inBrowser('users without admin rights change their own password, which ends their other sessions', async () => {
  const user = await makeUser({ role: 'viewer' });
  const elsewhere = await openAs(user.email, '/admin/tasks');
  const { page, close } = await openAs(user.email, '/admin/tasks');
  await page.getByRole('button', { name: 'Change password' }).click();
  const dialog = page.getByRole('dialog');
  const change = dialog.getByRole('button', { name: 'Change the password' });
  await dialog.getByLabel('Current password').fill('not the right one');
  await dialog.getByLabel('New password').fill('another few words in a row');
  await change.click();
  await dialog.locator('[aria-invalid=true][name=current_password]').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByLabel('Current password').fill(personalPassword);
  await change.click();
  await page.getByText('Password changed').waitFor();
  await page.reload();
  await titled(page, 'Tasks').waitFor();
  await elsewhere.page.reload();
  await elsewhere.page.waitForURL(/\/sign-in/);
  await elsewhere.close(401);
  const again = await openAs(user.email, '/admin/tasks', 'another few words in a row');
  await again.close();
  await close(400);
});
