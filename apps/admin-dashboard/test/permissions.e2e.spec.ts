import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { makeAgent } from './agent.ts';
import { axeFindings, decideBy, inBrowser, type Json, sendHeld, until, useDashboard } from './dashboard.ts';

const dashboard = useDashboard();
const { narrowFindings, open, get, post } = dashboard;
const hostile = '<img src=x onerror="document.title=1">';
const push = { tool: 'execute', name: 'Bash', title: 'Push the branch', command: `git push origin ${hostile}` };
const form = {
  type: 'object',
  properties: {
    database: { type: 'string', title: 'Database', enum: ['Postgres', 'SQLite'] },
    database_custom: { type: 'string', title: 'Another one' },
    regions: { type: 'array', title: 'Regions', items: { enum: ['eu', 'us'] } },
    port: { type: 'integer', title: 'Port', minimum: 1_024, description: hostile },
    tls: { type: 'boolean', title: 'Encrypted' },
  },
  required: ['port'],
};

/** An agent that holds a task, whose role has a policy of this rule. */
async function heldUnder(rule: object) {
  const agent = await makeAgent(dashboard);
  await post('/v1/policies', { role: agent.role, rules: [rule] });
  return agent.hold({ title: `Work of ${agent.role}` });
}

describe('a form in the inbox', () => {
  inBrowser('has a control for each field, and shows errors at their fields', async () => {
    const { act } = await (await makeAgent(dashboard)).hold();
    const { input } = await act('inputs', { kind: 'form', prompt: 'How is it set up?', form });
    const { page, close } = await open({ path: `/admin/inbox?item=${input.id}` });
    const database = page.getByRole('group', { name: 'Database' });
    await database.getByLabel('SQLite').check();
    await page.getByLabel('Another one').fill('version 3');
    await page.getByRole('group', { name: 'Regions' }).getByLabel('us').check();
    await page.getByRole('group', { name: 'Encrypted' }).getByLabel('Yes').check();
    await page.getByLabel('Port (required)').fill('80');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send answer' }).click();
    await page.getByText('content.port must be at least 1024').waitFor();
    expect((await get(`/v1/inputs/${input.id}`)).status).toBe('pending');
    // What was filled in stays, also when the page is loaded again.
    await page.reload();
    expect(await database.getByLabel('SQLite').isChecked()).toBe(true);
    await page.getByLabel('Port (required)').fill('8080');
    await page.getByLabel('Comment').fill('For now.');
    await until(async () => {
      await page.keyboard.press('Control+Enter');
      return (await page.getByText('Nothing waits for you').count()) > 0;
    });
    expect(await get(`/v1/inputs/${input.id}`)).toMatchObject({
      status: 'answered',
      content: { database: 'SQLite', database_custom: 'version 3', regions: ['us'], port: 8_080, tls: true },
      comment: 'For now.',
    });
    await close(400);
  });

  inBrowser('that another person answered shows their values', async () => {
    const { act } = await (await makeAgent(dashboard)).hold();
    const { input } = await act('inputs', { kind: 'form', prompt: 'How is it set up?', form });
    const { page, close } = await open({ path: `/admin/inbox?item=${input.id}` });
    await page.getByLabel('Port (required)').waitFor();
    await post(`/v1/inputs/${input.id}/answer`, { content: { port: 9_000 } });
    await page.getByText('This is answered already.').waitFor();
    await page.getByText('port: 9000').waitFor();
    await close();
  });

  inBrowser('and a permission fit 360 pixels', async () => {
    const [filled, allowed] = [await makeAgent(dashboard), await makeAgent(dashboard)];
    const asked = (await (await filled.hold()).act('inputs', { kind: 'form', prompt: 'How is it set up?', form }))
      .input;
    const permission = { ...push, diff: [{ path: 'src/a.ts', old_text: '', new_text: `${'wide '.repeat(40)}\n` }] };
    const body = { kind: 'permission', prompt: 'Push', permission };
    const wanted = (await (await allowed.hold()).act('inputs', body)).input;
    const paths = [asked, wanted].map(({ id }) => `/admin/inbox?item=${id}`);
    const shown = async (page: Page) => {
      await page.getByText(/Port \(required\)|Always for this task:/).waitFor();
      // Not what the buttons cover halfway.
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    };
    expect(await narrowFindings(paths, shown)).toEqual([]);
    for (const [{ id }, answer] of [
      [asked, { content: { port: 9_000 } }],
      [wanted, { decision: 'reject' }],
    ])
      await post(`/v1/inputs/${id}/answer`, answer);
  });
});

describe('a request for permission in the inbox', () => {
  inBrowser('shows the command and the changes, and is decided with one key', async () => {
    const { task, act } = await heldUnder({ action: 'ask', tool: '*', pattern: '*' });
    const diff = [{ path: 'src/a.ts', old_text: 'one\n', new_text: `two ${hostile}\n` }];
    const request = (permission: object): Promise<Json> => act('permissions', { call_id: 'call_1', permission });
    const paths = ['src/a.ts', ...Array.from({ length: 22 }, (_, at) => `${hostile} ${at}`)];
    const permission = { ...push, diff, paths, truncated: true };
    const { input } = await request(permission);
    const { page, close } = await open({ path: `/admin/inbox?item=${input.id}` });
    await page.getByLabel('Command').getByText(push.command).waitFor();
    await page.getByRole('group', { name: 'Changes of src/a.ts' }).getByText(`two ${hostile}`).waitFor();
    const files = page.getByRole('list', { name: 'Files' }).getByRole('listitem');
    expect((await files.allTextContents()).slice(18)).toEqual([`${hostile} 18`, `${hostile} 19`, 'and 2 more files']);
    await page.getByText('The command or the list of files is cut').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    // It is longer than the window: the decision waits until its end was on screen.
    await page.getByRole('button', { name: 'Always for this task' }).click();
    await decideBy(page, 't');
    await page.getByText('Nothing waits for you').waitFor();
    await sendHeld(page);
    expect(await get(`/v1/inputs/${input.id}`)).toMatchObject({ status: 'answered', decision: 'allow_always' });
    expect((await request(permission)).decision).toBe('allow');
    // The task lists what is allowed for the rest of it, until it is taken back.
    await page.goto(page.url().replace(/inbox.*/, `tasks/${task.id}`));
    const allowed = page.getByRole('region', { name: 'Permissions' });
    await allowed.getByText(push.command).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await allowed.getByRole('button', { name: /^Take back/ }).click();
    await allowed.waitFor({ state: 'detached' });
    expect((await request(permission)).decision).toBe('ask');
    await close();
  });

  inBrowser('is rejected, and the agent gets the reason', async () => {
    const { act } = await heldUnder({ action: 'ask', tool: 'execute', pattern: 'git push*' });
    const request = (): Promise<Json> => act('permissions', { call_id: 'call_1', permission: push });
    const { input } = await request();
    const { page, close } = await open({ path: `/admin/inbox?item=${input.id}` });
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    await page.getByLabel('Comment').fill('Not before Monday.');
    await page.getByLabel('Comment').blur();
    await decideBy(page, 'r');
    await sendHeld(page);
    expect(await request()).toMatchObject({ decision: 'reject', reason: 'Not before Monday.' });
    await close();
  });
});

describe('the policies', () => {
  inBrowser('are created, changed and deleted, with their rules in a table', async () => {
    const { role } = await makeAgent(dashboard);
    const { page, close } = await open({ path: '/admin/policies' });
    await page.getByRole('heading', { name: 'Permissions', level: 1 }).waitFor();
    await page.keyboard.press('n');
    await page.getByLabel('Role').fill(role);
    await page.getByLabel('Pattern of rule 1').fill('git push*');
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByLabel('Action of rule 2').selectOption('deny');
    await page.getByLabel('Tool of rule 2').fill('');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create', exact: true }).last().click();
    await page.getByText(/rules\.1\.tool/).waitFor();
    await page.getByLabel('Tool of rule 2').fill('fetch');
    await page.getByRole('button', { name: 'Create', exact: true }).last().click();
    const row = page.getByRole('table', { name: 'Policies' }).getByRole('row').filter({ hasText: role });
    await row.getByText('ask execute git push*; deny fetch *').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await row.getByRole('link', { name: 'Change' }).click();
    await page.getByRole('button', { name: 'Move rule 2 up' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await row.getByText('deny fetch *; ask execute git push*').waitFor();
    expect((await get(`/v1/policies?role=${role}`)).data).toMatchObject([
      { rules: [{ action: 'deny' }, { action: 'ask' }], version: 2 },
    ]);
    await row.getByRole('link', { name: 'Change' }).click();
    await page.getByRole('button', { name: 'Delete the policy' }).click();
    await row.waitFor({ state: 'detached' });
    await close(400);
  });
});
