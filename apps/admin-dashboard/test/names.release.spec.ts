import { expect } from '@jest/globals';
import { axeFindings, inBrowser, useDashboard } from './dashboard.ts';

const { open, get, post } = useDashboard({ ownSettings: () => ({ AGENTS_PER_TENANT: '2000' }) });

inBrowser('an agent beyond the first 1,000 is found by name, and the page says that not all are listed', async () => {
  for (let count = 0; count < 1_000; count += 20)
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => post('/v1/agents', { name: `many ${count + at}`, role: 'many' })),
    );
  const last = await post('/v1/agents', { name: 'zz the last', role: 'zz-last' });
  const task = await post('/v1/tasks', { title: 'Handed over', description: 'x', assigned_role: 'pm' });
  const { page, close } = await open({ path: `/admin/tasks/${task.id}` });
  await page.getByRole('button', { name: 'Hand over' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Only 1,000 agents are listed.').waitFor();
  const another = dialog.getByLabel('Another agent: name or ID');
  await another.fill('unknown');
  await another.press('Enter');
  await dialog.getByText('No agent has this name or ID.').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Hand over' }).click();
  expect(await another.evaluate((field: HTMLInputElement) => field.validationMessage)).toMatch(/^Press Enter/);
  await another.fill('zz the last');
  await another.press('Enter');
  await dialog.locator(`select:has(option[value="${last.id}"]:checked)`).waitFor();
  await dialog.getByRole('button', { name: 'Hand over' }).click();
  await page.getByText('Task handed over').waitFor();
  expect(await get(`/v1/tasks/${task.id}`)).toMatchObject({ assigned_agent: last.id });
  await page.reload();
  await page.getByRole('button', { name: 'Hand over' }).click();
  await dialog.getByRole('option', { name: 'zz the last (zz-last)', selected: true }).waitFor({ state: 'attached' });
  await page.goto('/admin/tasks');
  const filter = page.getByLabel('Another agent: name or ID');
  await filter.fill(last.id);
  await filter.press('Enter');
  await page.waitForURL(`**/tasks?assigned_agent=${last.id}`);
  await page.getByRole('link', { name: 'Handed over' }).waitFor();
  await page.getByLabel('Role', { exact: true }).fill('pm');
  await page.getByLabel('Role', { exact: true }).press('Enter');
  await page.waitForURL(/assigned_role=pm/);
  await close();
});
