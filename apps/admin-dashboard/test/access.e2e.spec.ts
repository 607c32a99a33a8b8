import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { axeFindings, inBrowser, person, until, useDashboard } from './dashboard.ts';
import { peopleOf, personalPassword as password } from './people.ts';

const run = promisify(execFile);
const dashboard = useDashboard();
const { narrowFindings, open, get, post, patch, address } = dashboard;
const hostile = '<img src=x onerror="document.title=1"><script>alert(1)</script>';
const titled = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const table = (page: Page, name: string) => page.getByRole('table', { name });
const shown = (page: Page, label: string) => page.getByLabel(label, { exact: true }).inputValue();

/** The status that curl gets with a key. */
async function statusWith(key: string): Promise<string> {
  const options = ['-s', '-o', '/dev/null', '-w', '%{http_code}', '-H', `X-API-Key: ${key}`];
  return (await run('curl', [...options, `${address()}/v1/tasks`])).stdout;
}

const { makeUser, openAs } = peopleOf(dashboard);

/** The API's response to the session of a page, without the client of the page. */
const statusOf = (page: Page, method: string, path: string, body?: object) =>
  page.evaluate(
    async ([verb, to, text]) => {
      const session = (await (await fetch('/admin/api/session')).json()) as { csrf_token: string };
      const headers = { 'x-csrf-token': session.csrf_token, 'content-type': 'application/json' };
      return (await fetch(to, { method: verb, headers, ...(text === '' ? {} : { body: text }) })).status;
    },
    [method, path, body ? JSON.stringify(body) : ''] as const,
  );

describe('an API key', () => {
  inBrowser('is made in the page, works with curl, is rotated, and stops within 2 s of its revocation', async () => {
    const { page, close } = await open({ path: '/admin/keys' });
    await titled(page, 'API keys').waitFor();
    await page.keyboard.press('n');
    await page.getByLabel('Name').fill(hostile);
    const scope = page.getByRole('checkbox', {
      name: 'tasks:read Read tasks, their history and their results, and projects.',
    });
    await scope.check();
    await page.getByLabel('Tier').selectOption('basic');
    await page.reload();
    expect(await page.getByLabel('Name').inputValue()).toBe(hostile);
    expect(await page.getByLabel('Tier').inputValue()).toBe('basic');
    expect(await scope.isChecked()).toBe(true);
    await button(page, 'Create key').click();
    const first = await shown(page, 'Key');
    await button(page, 'Copy: Key').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await statusWith(first)).toBe('200');
    await button(page, 'Done').click();
    await titled(page, hostile).waitFor();
    await page.reload();
    await titled(page, hostile).waitFor();
    expect(await page.content()).not.toContain(first);
    await button(page, 'Rotate').click();
    await button(page, 'Rotate the key').click();
    const second = await shown(page, 'Key');
    await button(page, 'Done').click();
    expect(await statusWith(second)).toBe('200');
    await until(async () => (await statusWith(first)) === '401');
    await button(page, 'Revoke').click();
    await page.getByText('This cannot be undone.').waitFor();
    expect(await statusWith(second)).toBe('200');
    await button(page, 'Revoke the key').click();
    await page.getByText('revoked', { exact: true }).waitFor();
    await until(async () => (await statusWith(second)) === '401', 2_000);
    expect(await button(page, 'Edit').count()).toBe(0);
    await close();
  });

  inBrowser(
    'is edited by a link, limited to what its editor may grant, and keeps an expiry that was not touched',
    async () => {
      const soon = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z/, 'Z');
      const { id } = await post('/admin/api/keys', { name: 'Old', scopes: ['tasks:read'], expires_at: soon });
      const { email } = await makeUser({ scopes: ['admin', 'tasks:read', 'events:read'] });
      const { page, close } = await openAs(email, `/admin/keys/${id}?edit=true`);
      expect(await page.getByRole('checkbox', { name: /^tasks:write/ }).isDisabled()).toBe(true);
      await page.getByRole('checkbox', { name: /^events:read/ }).check();
      await page.getByLabel('Name').fill('New');
      await page.getByLabel('Tier').selectOption('basic');
      await button(page, 'Save').click();
      await titled(page, 'New').waitFor();
      expect(page.url()).toMatch(new RegExp(`/admin/keys/${id}$`));
      expect(await get(`/admin/api/keys/${id}`)).toMatchObject({
        name: 'New',
        tier: 'basic',
        scopes: ['tasks:read', 'events:read'],
        expires_at: expect.stringMatching(soon.slice(0, 19)),
      });
      await close();
    },
  );

  inBrowser('that is invalid gets a message at its field, and typed text is kept', async () => {
    const { page, close } = await open({ path: '/admin/keys?new=true' });
    await page.getByLabel('Name').fill('Half filled');
    await page.reload();
    expect(await page.getByLabel('Name').inputValue()).toBe('Half filled');
    await page.getByLabel('Expires').fill('2020-01-01T00:00');
    await button(page, 'Create key').click();
    await page
      .getByRole('group', { name: 'Scopes' })
      .getByText(/^scopes must/)
      .waitFor();
    await page.getByRole('checkbox', { name: /^tasks:read/ }).check();
    await button(page, 'Create key').click();
    await page.getByText('expires_at must be in the future.').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Half filled');
    await page.getByLabel('Expires').fill('');
    await button(page, 'Create key').click();
    expect(await statusWith(await shown(page, 'Key'))).toBe('200');
    await close(400);
  });

  inBrowser('of an agent is found from its page, under the agent that owns it', async () => {
    const agent = await post('/v1/agents', { name: 'Owner of a key', role: 'owning' });
    await post(`/v1/agents/${agent.id}/keys`, { name: 'Its key' });
    const { page, close } = await open({ path: `/admin/agents/${agent.id}` });
    await page.getByRole('link', { name: 'Manage and revoke keys' }).click();
    const row = table(page, 'API keys').getByRole('row').filter({ hasText: 'Its key' });
    await row.getByRole('link', { name: 'Owner of a key' }).waitFor();
    expect(page.url()).toContain(`agent_id=${agent.id}`);
    await page.getByLabel('Status', { exact: true }).selectOption('revoked');
    await page.getByText('No key fits these filters.').waitFor();
    await close();
  });

  inBrowser('that another person created is on the list after a refresh with r', async () => {
    const { page, close } = await open({ path: '/admin/keys' });
    await table(page, 'API keys').waitFor();
    await post('/admin/api/keys', { name: 'By somebody else', scopes: ['tasks:read'] });
    await page.keyboard.press('r');
    const row = table(page, 'API keys').getByRole('row').filter({ hasText: 'By somebody else' });
    await row.getByRole('link', { name: 'Bootstrap key' }).waitFor();
    await close();
  });
});

describe('an OAuth client', () => {
  inBrowser('is made with a secret that is shown once, gets another one, and is deleted after asking', async () => {
    const { page, close } = await open({ path: '/admin/clients' });
    await page.getByText('No OAuth clients').waitFor();
    await page.keyboard.press('n');
    await page.getByLabel('Name').fill(hostile);
    await page.getByLabel('Redirect addresses').fill('nonsense');
    await page.getByRole('checkbox', { name: /^tasks:read/ }).check();
    await button(page, 'Create client').click();
    await page.getByText(/^redirect_uris/).waitFor();
    await page.getByLabel('Redirect addresses').fill('https://a.example/cb\nhttps://b.example/cb');
    await button(page, 'Create client').click();
    const [id, secret] = [await shown(page, 'Client ID'), await shown(page, 'Client secret')];
    await button(page, 'Done').click();
    await titled(page, hostile).waitFor();
    await page.reload();
    await page.getByText('https://b.example/cb').waitFor();
    expect(await page.content()).not.toContain(secret);
    await button(page, 'Rotate the secret').click();
    await page.getByText('The application is refused').waitFor();
    await button(page, 'Rotate the secret').last().click();
    const next = await shown(page, 'Client secret');
    expect([next === secret, next.startsWith('eas_secret_')]).toEqual([false, true]);
    await button(page, 'Done').click();
    await button(page, 'Delete').click();
    await button(page, 'Delete the client').click();
    await page.getByText('No OAuth clients').waitFor();
    await expect(get(`/admin/api/clients/${id}`)).rejects.toThrow('404');
    await close(400, 404);
  });

  inBrowser('is changed by two people at once only with both versions shown', async () => {
    const body = { name: 'First', redirect_uris: ['https://a.example/cb'], scopes: ['tasks:read'], is_public: true };
    const { id } = await post('/admin/api/clients', body);
    const { page, close } = await open({ path: `/admin/clients/${id}?edit=true` });
    const other = await open({ path: `/admin/clients/${id}?edit=true` });
    await page.getByLabel('Name').fill('Mine');
    await other.page.getByLabel('Redirect addresses').fill('https://theirs.example/cb');
    await button(other.page, 'Save').click();
    await other.page.getByText('https://theirs.example/cb').waitFor();
    await button(page, 'Save').click();
    await page.getByRole('alert').getByRole('cell', { name: 'https://theirs.example/cb' }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Mine');
    expect(await axeFindings(page)).toEqual([]);
    expect(await get(`/admin/api/clients/${id}`)).toMatchObject({ name: 'First' });
    await button(page, 'Save mine over it').click();
    await titled(page, 'Mine').waitFor();
    expect(await get(`/admin/api/clients/${id}`)).toMatchObject({ name: 'Mine', redirect_uris: body.redirect_uris });
    expect(await button(page, 'Rotate the secret').count()).toBe(0);
    await other.close();
    await close(412);
  });
});

describe('users', () => {
  inBrowser('are invited with a role by a link that is shown once, and change their role', async () => {
    const { page, close } = await open({ path: '/admin/users?new=true' });
    await page.getByLabel('Name').fill(hostile);
    await page.getByRole('radio', { name: /^viewer Read everything/ }).check();
    await page.getByLabel('E-mail').fill(person.email);
    await button(page, 'Invite').last().click();
    await page.locator('[aria-invalid=true][name=email]').waitFor();
    await page.getByLabel('E-mail').fill('Invited@Example.com');
    await button(page, 'Invite').last().click();
    const link = await shown(page, 'One-time link');
    await button(page, 'Done').click();
    await titled(page, hostile).waitFor();
    expect(await page.content()).not.toContain(link);
    await page.getByText('invited', { exact: true }).waitFor();
    await page.getByText('Read tasks, their history and their results, and projects.').waitFor();
    const invited = await open({ isSignedIn: false, path: link });
    await invited.page.getByLabel('Password').fill(password);
    await button(invited.page, 'Set password').click();
    await invited.page.getByRole('navigation', { name: 'Sections' }).waitFor();
    expect(await invited.page.getByRole('link', { name: 'Users' }).count()).toBe(0);
    await page.reload();
    await button(page, 'Edit').click();
    await page.waitForURL(/edit=true/);
    await page.getByRole('radio', { name: /^admin/ }).check();
    await button(page, 'Save').click();
    await page.getByText('User changed').waitFor();
    const [user] = (await get('/admin/api/users?email=invited@example.com')).data;
    expect(user).toMatchObject({ role: 'admin', status: 'active' });
    await until(async () => (await statusOf(invited.page, 'GET', '/admin/api/session').catch(() => 401)) === 401);
    await button(page, 'New link').click();
    await page.getByText('Earlier links stop working.').waitFor();
    await button(page, 'Make the link').click();
    expect(await shown(page, 'One-time link')).not.toBe(link);
    await button(page, 'Done').click();
    await button(page, 'Delete').click();
    await button(page, 'Delete the user').click();
    await titled(page, 'Users').waitFor();
    expect((await get('/admin/api/users?email=invited@example.com')).metadata.total).toBe(0);
    await invited.close(401);
    await close(409);
  });

  inBrowser('keep their session when an edit leaves their rights as they are, also those of no role', async () => {
    const { id, email } = await makeUser({ scopes: ['tasks:read', 'admin'] });
    const theirs = await openAs(email, '/admin/tasks');
    const { page, close } = await open({ path: `/admin/users/${id}?edit=true` });
    await page.getByRole('radio', { name: /^scopes/, checked: true }).waitFor();
    await page.getByLabel('Name').fill('Renamed');
    await button(page, 'Save').click();
    await titled(page, 'Renamed').waitFor();
    expect(await statusOf(theirs.page, 'GET', '/v1/tasks')).toBe(200);
    await theirs.close(403);
    await close();
  });

  inBrowser('keep at least one administrator after an edit or a deletion', async () => {
    const [ada] = (await get(`/admin/api/users?email=${person.email}`)).data;
    for (const { id, email, scopes } of (await get('/admin/api/users?limit=100')).data)
      if (email !== person.email && scopes.includes('admin')) await patch(`/admin/api/users/${id}`, { role: 'viewer' });
    const { page, close } = await open({ path: `/admin/users/${ada.id}?edit=true` });
    await page.getByRole('radio', { name: /^member/ }).check();
    await button(page, 'Save').click();
    await page.getByText('The last user with the scope admin cannot be removed').waitFor();
    await button(page, 'Close').click();
    await button(page, 'Delete').click();
    await page.getByText('This is you.').waitFor();
    await button(page, 'Delete the user').click();
    await page.getByText('The last user with the scope admin cannot be removed').waitFor();
    expect(await get(`/admin/api/users/${ada.id}`)).toMatchObject({ role: 'admin' });
    await close(409);
  });

  inBrowser('who are viewers see no actions, and the API refuses them', async () => {
    const { email } = await makeUser({ role: 'viewer' });
    const task = await post('/v1/tasks', { title: 'Only to be read', description: 'd' });
    const { page, close } = await openAs(email, `/admin/tasks/${task.id}`);
    await titled(page, 'Only to be read').waitFor();
    for (const name of ['Cancel', 'Edit', 'Comment', 'Hand over'])
      expect(await page.getByRole('main').getByRole('button', { name }).count()).toBe(0);
    for (const [path, title] of [
      ['/admin/tasks', 'Tasks'],
      ['/admin/agents', 'Agents'],
      ['/admin/webhooks', 'Webhooks'],
    ] as const) {
      await page.goto(path);
      await titled(page, title).waitFor();
      expect(await page.getByRole('button', { name: /^Create/ }).count()).toBe(0);
    }
    expect(await statusOf(page, 'POST', '/v1/tasks', { title: 't', description: 'd' })).toBe(403);
    expect(await statusOf(page, 'DELETE', `/v1/tasks/${task.id}`)).toBe(403);
    expect(await statusOf(page, 'POST', '/admin/api/keys', { name: 'k', scopes: ['tasks:read'] })).toBe(403);
    for (const section of ['keys', 'clients', 'users', 'audit']) {
      await page.goto(`/admin/${section}?new=true`);
      await page.getByText('You do not have permission').waitFor();
      expect(
        await page
          .locator('main button, [role=dialog]')
          .filter({ hasText: /Create|Invite/ })
          .count(),
      ).toBe(0);
    }
    await close(403);
  });
});

inBrowser('the audit log names actors, also of deleted resources, and has its filters in the address', async () => {
  const { id } = await makeUser({ role: 'viewer', name: hostile });
  const { page, close } = await open({ path: `/admin/users/${id}` });
  await button(page, 'Delete').click();
  await button(page, 'Delete the user').click();
  await titled(page, 'Users').waitFor();
  await page.goto(`/admin/audit?target_id=${id}`);
  const log = table(page, 'Audit log');
  const row = log.getByRole('row').filter({ hasText: 'user.deleted' });
  await row.getByText(person.email, { exact: true }).waitFor();
  await row.getByText(`${hostile} (removed)`, { exact: true }).waitFor();
  await row.getByRole('link', { name: 'user.deleted' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(id, { exact: true }).waitFor();
  expect(page.url()).toContain('entry=aud_');
  expect(await axeFindings(page)).toEqual([]);
  await page.reload();
  await dialog.getByText(`${hostile} (removed)`, { exact: true }).waitFor();
  await dialog.getByRole('link', { name: 'All by the same' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByLabel('What, such as').fill('session.started');
  await page.keyboard.press('Enter');
  await page.waitForURL(/actor_id=usr_\w+.*action=session\.started/);
  await log.getByText('user.deleted').first().waitFor({ state: 'detached' });
  await log.getByRole('link', { name: 'session.started' }).first().waitFor();
  expect(await log.getByText('user.deleted').count()).toBe(0);
  await page.getByLabel('Before').fill('2020-01-01T00:00');
  await page.getByLabel('Before').blur();
  await page.getByText('Nothing that fits these filters was done.').waitFor();
  await button(page, 'Clear the filters').click();
  await log.getByRole('row').nth(5).waitFor();
  const webhook = await post('/v1/webhooks', { url: 'https://audited.example.com/', events: ['task.*'] });
  await page.goto(`/admin/audit?target_id=${webhook.id}`);
  await log.getByRole('link', { name: 'https://audited.example.com/' }).waitFor();
  await close(404);
});

inBrowser('the pages of access pass axe, light and dark, and fit 360 pixels', async () => {
  const name = `long${hostile}${'x'.repeat(100)}`;
  const key = await post('/admin/api/keys', { name, scopes: ['tasks:read', 'admin'] });
  const uri = `https://example.com/${'y'.repeat(200)}`;
  const client = await post('/admin/api/clients', { name, redirect_uris: [uri], scopes: ['tasks:read'] });
  const user = await makeUser({ name, email: `${'z'.repeat(60)}@example.com`, scopes: ['tasks:read', 'events:read'] });
  const pages = [
    ...['keys', 'clients', 'users', 'audit'],
    ...[`keys/${key.id}`, `clients/${client.id}`, `users/${user.id}`].flatMap((path) => [path, `${path}?edit=true`]),
    ...['keys?new=true', 'clients?new=true', 'users?new=true'],
  ];
  const paths = pages.map((path) => `/admin/${path}`);
  const findings = await narrowFindings(paths, async (page, path) => {
    const text = page.getByText(path.endsWith('audit') ? 'user.created' : /^long/);
    await text.and(page.locator(':visible')).first().waitFor();
    if (path.includes('?')) await page.getByRole('dialog').waitFor();
  });
  expect(findings).toEqual([]);
});
