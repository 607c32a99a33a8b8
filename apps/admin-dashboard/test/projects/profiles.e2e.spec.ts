import { randomBytes } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import { axeFindings, inBrowser, type Json, useDashboard } from '../dashboard.ts';

const { open, get, patch, post } = useDashboard();
const hostile = '<img src=x onerror="document.title=1"><script>alert(1)</script>';
/** With a unique name and role. */
const newName = () => `writers-${randomBytes(4).toString('hex')}`;
const skill = { name: 'notes', files: [{ path: 'SKILL.md', content: `How we write ${hostile}` }] };
const server = { type: 'http', name: 'issues', url: 'https://mcp.example.com/mcp', headers: {} };
const makeProfile = async (more: object = {}): Promise<Json> => {
  const name = newName();
  return post('/v1/profiles', { name, roles: [name], instructions: `Be brief ${hostile}`, skills: [skill], ...more });
};

describe('the profiles', () => {
  inBrowser('are created with all of their settings, and errors of the API are shown at their fields', async () => {
    const name = newName();
    const { page, close } = await open({ path: '/admin/profiles' });
    await page.getByRole('heading', { name: 'Profiles', level: 1 }).waitFor();
    await page.keyboard.press('n');
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Roles').fill(`${name}, ${name}-2`);
    await page.getByLabel('Instructions').fill('# Short\n\nOne idea a paragraph.');
    await page.getByLabel('Skills').fill('[{"name": ');
    await page.getByLabel('MCP servers').fill(JSON.stringify([server]));
    await page.getByRole('button', { name: 'Add a check' }).click();
    await page.getByLabel('Name of the check').fill('spelling');
    await page.getByLabel('Command').fill('npm run spelling');
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByLabel('Pattern of rule 1').fill('git push*');
    await page.getByRole('button', { name: 'Add a budget' }).click();
    await page.getByLabel('Limit').fill('2.5');
    await page.getByLabel('For', { exact: true }).selectOption('task');
    await page.getByRole('button', { name: 'Create', exact: true }).last().click();
    await page.getByText(/must be an array/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByLabel('Skills').fill(JSON.stringify([skill]));
    await page.getByRole('button', { name: 'Create', exact: true }).last().click();
    await page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
    await page.getByRole('region', { name: 'Checks of the profile' }).getByText('npm run spelling').waitFor();
    await page.getByRole('region', { name: 'Permission rules' }).getByText('ask execute git push*').waitFor();
    await page.getByRole('region', { name: 'Budgets of the profile' }).getByText('2.5 USD for a task').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const { data } = await get(`/v1/profiles?name=${name}`);
    expect(await get(`/v1/profiles/${data[0].id}`)).toMatchObject({
      roles: [name, `${name}-2`],
      instructions: '# Short\n\nOne idea a paragraph.',
      model: null,
      skills: [skill],
      mcp_servers: [server],
      checks: [{ name: 'spelling', command: 'npm run spelling', timeout_seconds: 600 }],
      permission_rules: [{ action: 'ask', tool: 'execute', pattern: 'git push*' }],
      budgets: [{ unit: 'usd', period: 'task', limit: 2.5, warn_at_percent: 80 }],
    });
    await page.getByRole('link', { name: 'What is used up of them' }).click();
    const row = page.getByRole('table', { name: 'Budgets' }).getByRole('row').filter({ hasText: name });
    await row.getByText('2.5 USD for a task').waitFor();
    expect(await row.getByRole('link', { name: 'Change the budget' }).count()).toBe(0);
    await row.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
    await close(400);
  });

  inBrowser('show what agents get, as text, with their versions, and are deleted after a confirmation', async () => {
    const { id, name } = await makeProfile();
    await patch(`/v1/profiles/${id}`, { effort: 'high' });
    const { page, close } = await open({ path: '/admin/profiles' });
    await page.getByRole('table', { name: 'Profiles' }).getByRole('link', { name, exact: true }).click();
    await page.getByRole('region', { name: 'Instructions' }).getByText(`Be brief ${hostile}`).waitFor();
    await page.getByText('SKILL.md').click();
    await page.getByText(`How we write ${hostile}`).waitFor();
    await page.getByText('Versions of the settings').click();
    expect(await page.getByRole('listitem').filter({ hasText: ' by ' }).count()).toBe(2);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the profile' }).click();
    await page.getByText('Profile deleted').waitFor();
    expect((await get(`/v1/profiles?id=${id}`)).data).toEqual([]);
    await close();
  });

  inBrowser('are changed, by two people at once only with both versions shown', async () => {
    const { id } = await makeProfile();
    const { page, close } = await open({ path: `/admin/profiles/${id}` });
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Effort').fill('low');
    await patch(`/v1/profiles/${id}`, { description: 'Theirs' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody else changed it meanwhile.').waitFor();
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await page.getByLabel('Effort').fill('low');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Profile changed').waitFor();
    const changed = await get(`/v1/profiles/${id}`);
    expect(changed).toMatchObject({ description: 'Theirs', effort: 'low', version: 3, skills: [skill] });
    await close(412);
  });
});
