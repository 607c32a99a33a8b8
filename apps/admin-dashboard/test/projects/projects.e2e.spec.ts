import { randomBytes } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { axeFindings, inBrowser, type Json, useDashboard } from '../dashboard.ts';

const { narrowFindings, open, get, patch, post } = useDashboard();
const hostile = '<img src=x onerror="document.title=1"><script>alert(1)</script>';
const titled = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true });

/** With a unique name. */
function newProject(more: object = {}) {
  const name = `shop-${randomBytes(4).toString('hex')}`;
  const url = `https://github.com/acme/${name}.git`;
  const checks = [{ name: 'tests', command: 'npm test' }];
  const repositories = [{ url, setup: `npm ci ${hostile}`, copy_files: ['.env'], checks }];
  return { name, description: `What it is for ${hostile}`, repositories, ...more };
}
const makeProject = async (more: object = {}): Promise<Json> => post('/v1/projects', newProject(more));

describe('the projects', () => {
  inBrowser('are created with repositories and checks, and errors of the API are shown at their fields', async () => {
    const { name } = newProject();
    const { page, close } = await open({ path: '/admin/projects' });
    await page.getByRole('group', { name: 'Filters' }).waitFor();
    await page.keyboard.press('n');
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Address').fill('ext::sh');
    await page.getByLabel('Setup').fill('npm ci');
    await page.getByLabel('Files to copy').fill('.env\nconfig/*.json\n');
    await page.getByRole('button', { name: 'Add a check' }).click();
    await page.getByLabel('Name of the check').fill('tests');
    await page.getByLabel('Command').fill('npm test');
    await page.getByLabel('Tags').fill('web, shop');
    await page.getByRole('button', { name: 'Create', exact: true }).last().click();
    await page.getByText(/must not name a transport helper/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.reload();
    expect(await page.getByLabel('Address').inputValue()).toBe('ext::sh');
    await page.getByLabel('Address').fill(`git@github.com:acme/${name}.git`);
    await page.getByRole('button', { name: 'Add a repository' }).click();
    await page.getByLabel('Address').last().fill(`https://github.com/acme/${name}-api`);
    await page.getByRole('button', { name: 'Create', exact: true }).last().click();
    await titled(page, name).waitFor();
    await page.getByRole('region', { name: `acme/${name}-api` }).waitFor();
    await page
      .getByRole('region', { name: `acme/${name}`, exact: true })
      .getByText('npm test')
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const { data } = await get(`/v1/projects?name=${name}`);
    expect(data).toMatchObject([
      {
        defaults: { tags: ['web', 'shop'] },
        repositories: [
          {
            url: `git@github.com:acme/${name}.git`,
            setup: 'npm ci',
            copy_files: ['.env', 'config/*.json'],
            checks: [{ name: 'tests', command: 'npm test', timeout_seconds: 600 }],
          },
          { url: `https://github.com/acme/${name}-api`, base_branch: 'main', setup: null },
        ],
      },
    ]);
    await close(400);
  });

  inBrowser('are listed with their repositories, and the page of each links to its tasks', async () => {
    const { id, name } = await makeProject();
    await post('/v1/tasks', { title: `Work on ${name}`, description: 'd', metadata: { repository: name } });
    await post('/v1/tasks', { title: `Other than ${name}`, description: 'd' });
    const { page, close } = await open({ path: '/admin/projects' });
    const row = page.getByRole('table', { name: 'Projects' }).getByRole('row').filter({ hasText: name });
    await row.getByText(`acme/${name}`).waitFor();
    await row.getByRole('link', { name, exact: true }).click();
    await titled(page, name).waitFor();
    await page.getByText(`What it is for ${hostile}`).waitFor();
    await page.getByText(`npm ci ${hostile}`).waitFor();
    await page.getByRole('link', { name: 'Tasks', exact: true }).last().click();
    await page.getByText(`Work on ${name}`).waitFor();
    expect(page.url()).toContain(`project=${id}`);
    expect(await page.getByText(`Other than ${name}`).count()).toBe(0);
    await close();
  });

  inBrowser('are changed, by two people at once only with both versions shown', async () => {
    const { id, name } = await makeProject();
    const { page, close } = await open({ path: `/admin/projects/${id}` });
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Base branch').fill('develop');
    await page.getByRole('button', { name: 'Remove the check' }).click();
    await patch(`/v1/projects/${id}`, { description: 'Theirs' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody else changed it meanwhile.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Take theirs' }).click();
    expect(await page.getByLabel('Description').inputValue()).toBe('Theirs');
    await page.getByLabel('Base branch').fill('develop');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('develop').waitFor();
    expect(await get(`/v1/projects/${id}`)).toMatchObject({
      name,
      description: 'Theirs',
      version: 3,
      repositories: [{ base_branch: 'develop', copy_files: ['.env'], checks: [{ name: 'tests' }] }],
    });
    await close(412);
  });

  inBrowser('keep what belongs to each repository when one is removed', async () => {
    const { repositories } = newProject();
    const other = { url: `${repositories[0]?.url}-api`, copy_files: ['other.env'] };
    const { id } = await makeProject({ repositories: [...repositories, other] });
    const { page, close } = await open({ path: `/admin/projects/${id}` });
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Remove the repository' }).first().click();
    expect(await page.getByLabel('Files to copy').inputValue()).toBe('other.env');
    await page.getByLabel('Files to copy').fill('other.env\nmore.env');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { repositories: saved } = await get(`/v1/projects/${id}`);
    expect(saved).toMatchObject([{ url: other.url, copy_files: ['other.env', 'more.env'] }]);
    await close();
  });

  inBrowser('are archived, which hides them in the list, and unarchived', async () => {
    const { id, name } = await makeProject();
    const { page, close } = await open({ path: `/admin/projects/${id}` });
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByText('No new task can have it.').waitFor();
    await page.goto(`${new URL(page.url()).origin}/admin/projects`);
    await page.getByRole('group', { name: 'Filters' }).waitFor();
    await page.getByLabel('State').selectOption('Archived');
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('button', { name: 'Unarchive' }).click();
    await page.getByRole('button', { name: 'Archive', exact: true }).waitFor();
    expect((await get(`/v1/projects/${id}`)).archived_at).toBeNull();
    await close();
  });

  inBrowser('fit a narrow screen and are accessible', async () => {
    const { id, name } = await makeProject();
    const shown = (page: Page, path: string) =>
      path.includes(id) ? titled(page, name).waitFor() : page.getByRole('link', { name, exact: true }).waitFor();
    expect(await narrowFindings(['/admin/projects', `/admin/projects/${id}`], shown)).toEqual([]);
    const { page, close } = await open({ width: 360, path: '/admin/projects?new=true' });
    await page.getByRole('dialog').getByLabel('Address').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await close();
  });
});

describe('the project of a task', () => {
  inBrowser('is chosen at its creation, shown with a link, changed and filtered by', async () => {
    const [one, other] = [
      await makeProject({ defaults: { priority: 'urgent', tags: ['shop'] } }),
      await makeProject({ description: null }),
    ];
    const title = `In ${one.name}`;
    const { page, close } = await open({ path: '/admin/tasks?new=true' });
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill(title);
    await dialog.getByLabel('Description').fill('d');
    await dialog.getByLabel('Project').selectOption({ label: one.name });
    await dialog.getByRole('button', { name: 'Create' }).click();
    await titled(page, title).waitFor();
    await page.getByRole('link', { name: one.name, exact: true }).waitFor();
    await page.getByText('urgent').waitFor();
    await page.getByRole('button', { name: 'Change the project' }).click();
    await page.getByRole('dialog').getByLabel('Project').selectOption({ label: other.name });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: other.name, exact: true }).click();
    await titled(page, other.name).waitFor();
    await page.goto(`${new URL(page.url()).origin}/admin/tasks`);
    await page.getByLabel('Project').selectOption({ label: other.name });
    await page.getByText(title).waitFor();
    await page.getByLabel('Project').selectOption({ label: one.name });
    await page.getByText(title).waitFor({ state: 'detached' });
    await close();
  });
});
