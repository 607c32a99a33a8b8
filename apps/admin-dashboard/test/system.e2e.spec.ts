import { afterAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { installAgents, makeRepository, processOf } from './coding-agents.ts';
import { axeFindings, inBrowser, overflowOf, person, runAxe, until, useDashboard } from './dashboard.ts';

const machine = installAgents();
const { open, get, post, narrowFindings } = useDashboard({ ownSettings: () => ({ PATH: machine.path }) });
afterAll(() => machine.remove());
const hostile = '<img src=x onerror="document.title=1"><script>alert(1)</script>'.repeat(4);

describe('the board of the queues', () => {
  inBrowser('passes axe, light and dark', async () => {
    // A third-party page, which keeps the colours that it was opened with.
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, close } = await open({ colorScheme, path: '/admin/queues' });
      await page.getByText('analytics').first().waitFor();
      expect(await runAxe(page)).toEqual([]);
      await page.goto('/admin/queues/queue/workflow');
      await page.getByText('Completed').first().waitFor();
      expect(await runAxe(page)).toEqual([]);
      await close();
    }
  });
});

describe('the system', () => {
  inBrowser('shows versions, lag, queues and settings in force, and no secret', async () => {
    const { page, close } = await open({ path: '/admin/overview' });
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.getByRole('heading', { name: 'System', level: 1 }).waitFor();
    const versions = page.getByRole('region', { name: 'Versions' });
    await versions.getByText(process.versions.node).waitFor();
    await versions.getByText('Queues on').waitFor();
    await page.getByRole('region', { name: 'Outbox' }).getByText('Relay lag').waitFor();
    await page.getByRole('row', { name: /webhooks/ }).waitFor();
    await page.getByText('No dead events').waitFor();
    const settings = page.getByRole('region', { name: 'Settings' });
    await settings.getByText('BOOTSTRAP_RATE_LIMIT', { exact: true }).waitFor();
    await settings.getByText('BOOTSTRAP_RATE_LIMIT = 1000000').waitFor();
    const text = (await page.locator('body').textContent()) ?? '';
    expect(text).toContain('ENCRYPTION_KEY');
    expect(text).not.toContain(person.password);
    expect(text).not.toMatch(/:\/\/[^/\s]*:[^/\s]*@/);
    await page.getByRole('link', { name: 'Open the queues' }).click();
    await page.waitForURL(/\/admin\/queues$/);
    await page.getByText('analytics').first().waitFor();
    await close();
  });

  inBrowser('is refreshed by a key', async () => {
    const { page, close } = await open({ path: '/admin/system' });
    await page.getByRole('region', { name: 'Outbox' }).waitFor();
    const again = page.waitForResponse((response) => response.url().endsWith('/admin/api/system'));
    await page.keyboard.press('r');
    expect((await again).status()).toBe(200);
    await close();
  });

  inBrowser('is neither listed nor accessible without admin', async () => {
    const viewer = { email: 'viewer@example.com', name: 'Vera', scopes: ['tasks:read', 'events:read'] };
    await post('/admin/api/users', { ...viewer, password: person.password });
    const { page, close } = await open({ isSignedIn: false, path: '/sign-in' });
    await page.getByLabel('E-mail').fill(viewer.email);
    await page.getByLabel('Password').fill(person.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const sections = page.getByRole('navigation', { name: 'Sections' });
    await sections.getByRole('link', { name: 'Queues' }).waitFor();
    expect(await sections.getByRole('link', { name: 'System' }).count()).toBe(0);
    await page.goto('/admin/system');
    await page.getByText('The scope admin is required.').first().waitFor();
    // The browser reports the 403.
    await close(403);
  });

  inBrowser('passes axe, light and dark, and fits 360 pixels with any text', async () => {
    const event = { tenant_id: 'tnt_1', event_id: 'evt_1', consumer: 'event.fan_out', event_type: null };
    const data = [{ ...event, attempts: 10, last_error: hostile, dead_at: new Date().toISOString() }];
    const body = JSON.stringify({ data, pagination: { limit: 100, has_more: false, next_cursor: null } });
    for (const path of ['/admin/system', '/admin/system?event=evt_1&consumer=event.fan_out']) {
      const { page, close } = await open({ width: 360 });
      await page.route('**/admin/api/system/dead-events*', (route) =>
        route.fulfill({ status: 200, contentType: 'application/json', body }),
      );
      await page.goto(path);
      await page.getByRole('link', { name: 'evt_1', includeHidden: true }).waitFor({ state: 'attached' });
      if (path.includes('?')) await page.getByRole('dialog').getByText(hostile).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await overflowOf(page)).toEqual([]);
      await close();
    }
  });
});

const figures = {
  ...Object.fromEntries(['tasks_created', 'tasks_completed', 'runs', 'delivered'].map((name) => [name, 4_120])),
  ...Object.fromEntries(['events', 'deliveries', 'delivery_attempts', 'inbound_events'].map((name) => [name, 61_300])),
  ...Object.fromEntries(['input', 'output', 'cache_read', 'cache_write'].map((kind) => [`${kind}_tokens`, 1e9])),
  model_calls: 3,
  model_cost_usd: 612.4,
  storage_bytes: 734_003_200,
  average_storage_bytes: 734_003_200,
};

describe('what tenants use', () => {
  inBrowser('is listed by month, for all tenants and for one, and saved as CSV', async () => {
    const { page, close } = await open({ path: '/admin/overview' });
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('x');
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    const table = page.getByRole('table', { name: 'Usage' });
    // It may not have been measured yet.
    await until(async () => {
      await page.keyboard.press('r');
      return (await table.getByRole('link', { name: 'Default' }).count()) > 0;
    });
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download CSV' }).click();
    const month = new Date().toISOString().slice(0, 7);
    expect((await saved).suggestedFilename()).toBe(`usage-${month}.csv`);
    await page.getByLabel('Order').selectOption('By name');
    await page.waitForURL(/sort=name/);
    await table.getByRole('link', { name: 'Default' }).click();
    await page.getByRole('heading', { name: 'Usage of Default' }).waitFor();
    await table.getByRole('link', { name: month }).click();
    await page.getByLabel('Month').fill('2020-01');
    await page.getByText('No usage').waitFor();
    await close();
  });

  inBrowser('passes axe, light and dark, and fits 360 pixels with any text', async () => {
    const { page, close } = await open({ width: 360 });
    const tenant = { tenant_id: 'tnt_1', slug: 'a', name: hostile };
    const load = { calls: 1e9, database_ms: 1e9, bytes: 1e15, received_webhooks: 1e9, delivery_attempts: 1e9 };
    await page.route('**/admin/api/usage?*', (route) => {
      const row = { ...tenant, month: '2026-11', ...figures, updated_at: new Date().toISOString(), closed_at: null };
      const pagination = { total_count: 1, limit: 100, has_more: false, next_cursor: null };
      return route.fulfill({ json: { data: [row], pagination } });
    });
    await page.route('**/admin/api/system', async (route) => {
      const state = await (await route.fetch()).json();
      return route.fulfill({ json: { ...state, loudest_tenants: [{ ...tenant, share: 0.426, ...load }] } });
    });
    await page.goto('/admin/usage');
    await page.getByRole('link', { name: hostile }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await overflowOf(page)).toEqual([]);
    await page.goto('/admin/system');
    const loudest = page.getByRole('region', { name: 'Loudest tenants', exact: true });
    await loudest.getByRole('row', { name: '43% 1,000,000,000' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await overflowOf(page)).toEqual([]);
    await loudest.getByRole('link', { name: hostile }).click();
    await page.waitForURL(/usage\?tenant=tnt_1/);
    await close();
  });
});

describe('agents on the machine of the service', () => {
  inBrowser('are started by a button, push branches, are back after kill -9, and are stopped', async () => {
    const repository = makeRepository();
    const project = await post('/v1/projects', { name: 'Shop', repositories: [{ url: repository.url }] });
    const { page, close } = await open({ path: '/admin/agents' });
    await page.getByRole('button', { name: 'Add an agent' }).click();
    await page.getByRole('heading', { name: 'Add an agent' }).waitFor();
    await page.getByLabel('Role').fill('builder');
    await page.getByRole('button', { name: 'Start on this machine: Gemini CLI' }).click();
    const runner = page.getByRole('list', { name: 'Agents on this machine' }).getByRole('listitem');
    await runner.getByText('running', { exact: true }).waitFor();
    await page.getByRole('list', { name: 'Installed coding agents' }).getByText('1.0.0').waitFor();

    const task = { title: 'Say hello', description: 'In a file.', assigned_role: 'builder', project: project.id };
    const { id } = await post('/v1/tasks', task);
    await until(async () => (await get(`/v1/tasks/${id}`)).status === 'completed');
    expect(repository.git('show', `task/${id}:hello.txt`)).toBe('hello');
    repository.remove();

    const [{ id: agentId }] = (await get('/v1/agents?role=builder')).data;
    const process = () => processOf(`runners/${agentId}/key`);
    const first = process();
    if (first === undefined) throw new Error('the runner does not run');
    globalThis.process.kill(first, 'SIGKILL');
    await until(() => ![undefined, first].includes(process()));
    await runner.getByText('running', { exact: true }).waitFor();

    await runner.getByRole('button', { name: 'Stop Gemini CLI' }).click();
    await page.getByRole('button', { name: 'Stop the runner' }).click();
    await page.getByRole('dialog', { name: /^Stop/ }).waitFor({ state: 'detached' });
    await runner.waitFor({ state: 'detached' });
    expect(process()).toBeUndefined();
    const keys = (await get(`/admin/api/keys?agent_id=${agentId}`)).data;
    expect(keys.map(({ status }: { status: string }) => status)).toEqual(['revoked']);
    await close();
  });

  inBrowser('report what is missing, and are retried', async () => {
    const { page, close } = await open({ path: '/admin/agents/add', width: 360 });
    await page.getByRole('button', { name: 'Start on this machine: Qwen Code' }).click();
    const runner = page.getByRole('list', { name: 'Agents on this machine' }).getByRole('listitem');
    await runner.getByText(/^Qwen Code: The agent has no access to its model/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await overflowOf(page)).toEqual([]);
    const release = machine.hold();
    await runner.getByRole('button', { name: 'Try again' }).click();
    await runner.getByText('starting', { exact: true }).waitFor();
    release();
    await runner.getByText('failed', { exact: true }).waitFor();
    await runner.getByRole('button', { name: 'Stop Qwen Code' }).click();
    await page.getByRole('button', { name: 'Stop the runner' }).click();
    await page.getByRole('dialog', { name: /^Stop/ }).waitFor({ state: 'detached' });
    await runner.waitFor({ state: 'detached' });
    await close();
  });

  inBrowser('are not offered without admin', async () => {
    const member = { email: 'member@example.com', name: 'Max', role: 'member' };
    await post('/admin/api/users', { ...member, password: person.password });
    const { page, close } = await open({ isSignedIn: false, path: '/sign-in' });
    await page.getByLabel('E-mail').fill(member.email);
    await page.getByLabel('Password').fill(person.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Sections' }).waitFor();
    await page.goto('/admin/agents/add');
    await page.getByText('On another machine').waitFor();
    expect(await page.getByText('On this machine').count()).toBe(0);
    await close();
  });
});

describe('a tenant', () => {
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const titled = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true });

  inBrowser('is created with a link for its administrator, suspended with a reason, resumed and deleted', async () => {
    const { page, close } = await open({ path: '/admin/overview' });
    await titled(page, 'Overview').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('z');
    await titled(page, 'Tenants').waitFor();
    await page.getByRole('row', { name: /default/ }).waitFor();
    await page.keyboard.press('n');
    await page.getByLabel('Slug').fill('Acme');
    await page.getByLabel('Name').fill(hostile.slice(0, 200));
    await page.getByLabel('Webhooks').fill('3');
    await page.getByLabel('E-mail of the first administrator').fill('grace@example.com');
    await button(page, 'Create').last().click();
    await page.getByText('slug must be in the required format.').waitFor();
    await page.getByLabel('Slug').fill('acme');
    await button(page, 'Create').last().click();
    const link = await page.getByLabel('One-time link', { exact: true }).inputValue();
    await button(page, 'Done').click();
    await titled(page, hostile.slice(0, 200)).waitFor();
    await page.getByText('Webhooks 3', { exact: true }).waitFor();
    const admin = await open({ isSignedIn: false, path: new URL(link).pathname + new URL(link).search });
    await admin.page.getByLabel('Password', { exact: true }).fill(person.password);
    await admin.page.getByRole('button').last().click();
    const sections = admin.page.getByRole('navigation', { name: 'Sections' });
    await sections.getByRole('link', { name: 'Users' }).waitFor();
    expect(await sections.getByRole('link', { name: 'Tenants' }).count()).toBe(0);

    await button(page, 'Suspend').click();
    await page.getByLabel('Reason').fill('The invoice is open.');
    await button(page, 'Suspend the tenant').click();
    await page.getByText('suspended', { exact: true }).waitFor();
    await admin.page.reload();
    await admin.page.getByText('The tenant is suspended: The invoice is open.').first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await button(page, 'Resume').click();
    await button(page, 'Resume the tenant').click();
    await page.getByText('active', { exact: true }).waitFor();
    await admin.page.reload();
    await sections.getByRole('link', { name: 'Users' }).waitFor();
    await admin.close(403);

    await button(page, 'Suspend').click();
    await page.getByLabel('Reason').fill('They left.');
    await button(page, 'Suspend the tenant').click();
    await button(page, 'Delete').click();
    await page.getByText('This cannot be undone.').waitFor();
    await button(page, 'Delete the tenant').click();
    await page.getByText('The tenant does not exist.').waitFor();
    await page.goto('/admin/tenants');
    await page.getByRole('row', { name: /default/ }).waitFor();
    expect(await page.getByRole('row', { name: /acme/ }).count()).toBe(0);
    await close(400, 404);
  });

  inBrowser('that is the operator’s cannot be suspended, and is edited by its version', async () => {
    const { page, close } = await open({ path: '/admin/tenants' });
    await page.getByRole('link', { name: 'Default', exact: true }).click();
    await button(page, 'Edit').click();
    await page.getByLabel('Plan').fill('own');
    await button(page, 'Save').click();
    await page.getByText('own', { exact: true }).waitFor();
    expect(await button(page, 'Suspend').count()).toBe(0);
    await close();
  });

  inBrowser('passes axe, light and dark, and fits 360 pixels', async () => {
    const { id } = await post('/admin/api/tenants', {
      slug: 'wide',
      name: hostile.slice(0, 200),
      plan: 'x'.repeat(64),
    });
    const paths = ['/admin/tenants', '/admin/tenants?new=true', `/admin/tenants/${id}`];
    expect(
      await narrowFindings(paths, (page) => page.getByText('wide').or(page.getByLabel('Slug')).first().waitFor()),
    ).toEqual([]);
  });
});
