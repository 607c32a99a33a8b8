import { expect } from '@jest/globals';
import type { Page, Request, Route } from 'playwright-core';
import { makeAgent } from './agent.ts';
import { inBrowser, signIn as signInAsAdmin, until, useDashboard } from './dashboard.ts';

const { open, get, post, patch } = useDashboard();
const isTaskList = (url: URL) => url.pathname === '/v1/tasks';
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last().click();

/** Responds to the next `count` requests for tasks as a service in trouble does; later requests pass. */
async function refuse(page: Page, method: string, count: number, status: number, message: string): Promise<void> {
  let left = count;
  await page.route(isTaskList, (route: Route) => {
    if (route.request().method() !== method || (left -= 1) < 0) return route.continue();
    const error = {
      code: status,
      type: status === 429 ? 'rate_limited' : 'server_error',
      message,
      request_id: 'req_1',
    };
    return route.fulfill({ status, json: { error }, headers: { 'retry-after': '1' } });
  });
}

inBrowser('changes made while the connection was lost are shown after reconnecting', async () => {
  const { page, close } = await open({ path: '/admin/tasks' });
  await page.getByText('No task fits these filters.').waitFor();
  await page.context().setOffline(true);
  await page.getByText('The connection is lost.').waitFor();
  await post('/v1/tasks', { title: 'Made meanwhile', description: 'x' });
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'Made meanwhile' }).waitFor();
  await page.getByText('The connection is lost.').waitFor({ state: 'detached' });
  await close('net::ERR_INTERNET_DISCONNECTED');
});

inBrowser('a page that is hidden for some seconds gives its stream back, and catches up when it is shown', async () => {
  const { page, close } = await open({});
  const setHidden = (isHidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);
  const isStream = (request: Request) => new URL(request.url()).pathname === '/v1/events/stream';
  await page.clock.install();
  await page.goto('/admin/tasks');
  await page.getByRole('link', { name: 'Made meanwhile' }).waitFor();
  await setHidden(true);
  const ended = page.waitForEvent('requestfailed', isStream);
  await page.clock.fastForward(5_000);
  await ended;
  await post('/v1/tasks', { title: 'Made while hidden', description: 'x' });
  await page.clock.fastForward(20_000);
  expect(await page.getByRole('link', { name: 'Made while hidden' }).count()).toBe(0);
  await setHidden(false);
  await page.getByRole('link', { name: 'Made while hidden' }).waitFor();
  await page.getByText('The connection is lost.').waitFor({ state: 'detached' });
  await close();
});

inBrowser('many windows share few streams, each sends at once, and each follows events', async () => {
  const { page, close } = await open({});
  const tasks = [];
  for (let n = 0; n < 6; n += 1) tasks.push(await post('/v1/tasks', { title: `Window ${n}`, description: 'x' }));
  const streams = new Set<Request>();
  const isStream = (request: Request) => /\/events(\/stream)?$/.test(new URL(request.url()).pathname);
  const context = page.context();
  context.on('request', (request) => void (isStream(request) && streams.add(request)));
  context.on('requestfailed', (request) => void streams.delete(request));
  context.on('requestfinished', (request) => void streams.delete(request));
  // The end of a request of a closed window is not reported.
  const openStreams = () => [...streams].filter((request) => !request.frame().page().isClosed()).length;
  const windows: Page[] = [];
  for (const { id, title } of tasks) {
    const opened = await context.newPage();
    await opened.goto(`/admin/tasks/${id}`);
    await opened.getByRole('heading', { name: title, level: 1 }).waitFor();
    windows.push(opened);
  }
  expect(openStreams()).toBeLessThanOrEqual(3);
  for (const [n, one] of windows.entries()) {
    await one.getByLabel('Comment or message').fill(`said in window ${n}`);
    await press(one, 'Comment');
  }
  for (const [n, one] of windows.entries()) await one.getByText(`said in window ${n}`).first().waitFor();
  for (const { id } of tasks) await post(`/v1/tasks/${id}/comments`, { content: 'said elsewhere' });
  for (const one of windows) await one.getByText('said elsewhere').first().waitFor();
  await windows.shift()?.close();
  for (const { id } of tasks.slice(1)) await post(`/v1/tasks/${id}/comments`, { content: 'said later' });
  for (const one of windows) await one.getByText('said later').first().waitFor();
  expect(openStreams()).toBeLessThanOrEqual(3);
  await close();
});

inBrowser('a rate-limited stream reports that, and is opened after Retry-After', async () => {
  const { page, close } = await open({});
  const opened: number[] = [];
  let allow = () => {};
  const isAllowed = new Promise<void>((done) => (allow = done));
  await page.route(
    (url) => url.pathname === '/v1/events/stream',
    async (route: Route) => {
      opened.push(Date.now());
      const error = { code: 429, type: 'rate_limited', message: 'Too many streams.', request_id: 'req_1' };
      if (opened.length === 1) return route.fulfill({ status: 429, json: { error }, headers: { 'retry-after': '3' } });
      await isAllowed;
      return route.continue();
    },
  );
  await page.goto('/admin/tasks');
  await page.getByText('Too many pages are open').waitFor();
  allow();
  await page.getByText('Too many pages are open').waitFor({ state: 'detached' });
  expect((opened[1] ?? 0) - (opened[0] ?? 0)).toBeGreaterThanOrEqual(3_000);
  await post('/v1/tasks', { title: 'Made after that', description: 'x' });
  await page.getByRole('link', { name: 'Made after that' }).waitFor();
  await close(429);
});

inBrowser('a rate-limited read is retried after Retry-After', async () => {
  const { page, close } = await open({});
  await refuse(page, 'GET', 2, 429, 'Wait a second.');
  await page.goto('/admin/tasks');
  await page.getByRole('link', { name: 'Made meanwhile' }).waitFor();
  await close(429);
});

inBrowser.each([
  [429, 'Too many requests', 'At most 10 requests a second.'],
  [500, 'Something went wrong', 'The service failed.'],
])(
  'a form that gets status %d reports it with the request ID, keeps its text, and can be sent again',
  async (status, title, message) => {
    const { page, close } = await open({ path: '/admin/tasks?new=true' });
    await refuse(page, 'POST', 1, status, message);
    await page.getByLabel('Title').fill(`Sent twice ${status}`);
    await page.getByLabel('Description').fill('Kept.');
    await press(page, 'Create');
    const alert = page.getByRole('alert');
    await alert.getByText(title).waitFor();
    await alert.getByText(message).waitFor();
    await alert.getByText('Request req_1').waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('Kept.');
    await press(page, 'Create');
    await page.getByRole('heading', { name: `Sent twice ${status}`, level: 1 }).waitFor();
    await close(429, 500);
  },
);

inBrowser('a page opens although the service fails once', async () => {
  const { page, close } = await open({});
  await page.route('**/admin/api/session', (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
  await page.goto('/admin/tasks');
  await page.getByRole('link', { name: 'Made meanwhile' }).waitFor();
  await close(503);
});

inBrowser('a read that keeps failing is reported, and is retried on request', async () => {
  const { page, close } = await open({});
  await refuse(page, 'GET', Infinity, 500, 'The service failed.');
  await page.goto('/admin/tasks');
  await page.getByText('Request req_1').waitFor();
  await page.unrouteAll();
  await press(page, 'Try again');
  await page.getByRole('link', { name: 'Made meanwhile' }).waitFor();
  await close(500);
});

inBrowser(
  'a page that cannot be read again says so, and keeps what it shows and the form that is open on it',
  async () => {
    const agent = await makeAgent({ post });
    const { page, close } = await open({ path: `/admin/agents/${agent.id}` });
    await press(page, 'Edit');
    await page.getByLabel('Name').fill('Typed meanwhile');
    const error = { code: 500, type: 'server_error', message: 'The service failed.', request_id: 'req_2' };
    await page.route(
      (url) => url.pathname === `/v1/agents/${agent.id}`,
      (route) =>
        route.request().method() === 'GET' ? route.fulfill({ status: 500, json: { error } }) : route.continue(),
    );
    await agent.hold({ title: 'Taken meanwhile' });
    await page.getByText('What you see may be out of date').waitFor();
    await page.getByText('Request req_2').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Typed meanwhile');
    await page.unrouteAll();
    await press(page, 'Close');
    await press(page, 'Try again');
    await page.getByRole('link', { name: 'Taken meanwhile' }).waitFor();
    expect(await page.getByText('What you see may be out of date').count()).toBe(0);
    await close(500);
  },
);

inBrowser('a revoked right is reported, and typed text is kept', async () => {
  const member = { email: 'bea@example.com', password: 'some more words in a row' };
  const reader = ['tasks:read', 'agents:read', 'events:read'];
  const user = await post('/admin/api/users', {
    name: 'Bea',
    email: member.email,
    scopes: [...reader, 'tasks:write'],
  });
  await patch(`/admin/api/users/${user.id}`, { password: member.password });
  const { page, close } = await open({ isSignedIn: false, path: '/admin/tasks?new=true' });
  const signIn = async () => {
    await page.getByLabel('Password').fill(member.password);
    await press(page, 'Sign in');
  };
  await page.getByLabel('E-mail').fill(member.email);
  await signIn();
  await page.getByLabel('Title').fill('Not allowed');
  await page.getByLabel('Description').fill('Kept.');
  // A gateway may accept the old session for a moment.
  const revoke = async () => {
    await patch(`/admin/api/users/${user.id}`, { scopes: reader });
    await until(async () => (await page.request.get('/v1/agents')).status() === 401);
  };
  let revoked: Promise<void> | undefined;
  await page.route(isTaskList, async (route) => {
    if (route.request().method() === 'POST') await (revoked ??= revoke());
    return route.continue();
  });
  await press(page, 'Create');
  await page.getByLabel('Password').waitFor();
  await signIn();
  await page.getByText('You do not have permission').waitFor();
  expect(await page.getByLabel('Description').inputValue()).toBe('Kept.');
  expect((await get('/v1/tasks')).data.map(({ title }: { title: string }) => title)).not.toContain('Not allowed');
  await close(401, 403);
});

inBrowser('a change is neither made nor shown as another user who signed in in another tab', async () => {
  const other = { email: 'cyd@example.com', password: 'even more words in a row' };
  const user = await post('/admin/api/users', { name: 'Cyd', email: other.email, role: 'member' });
  await patch(`/admin/api/users/${user.id}`, { password: other.password });
  const { page, close } = await open({ isSignedIn: false, path: '/admin/tasks?new=true' });
  await signInAsAdmin(page);
  await page.getByLabel('Title').fill('Typed by Ada');
  await page.getByLabel('Description').fill('Hers.');
  const tab = await page.context().newPage();
  await tab.goto('/admin/tasks');
  const status = await tab.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch('/admin/api/session', { method: 'POST', headers, body: JSON.stringify(body) })).status;
  }, other);
  expect(status).toBeLessThan(300);
  await tab.close();
  const loaded = page.waitForEvent('load');
  await press(page, 'Create');
  await loaded;
  expect(await page.getByLabel('Title').inputValue()).toBe('');
  expect((await get('/v1/tasks')).data.map(({ title }: { title: string }) => title)).not.toContain('Typed by Ada');
  await page.getByLabel('Title').fill('Typed by Cyd');
  const draftsOf = () =>
    page.evaluate(() => Object.keys(sessionStorage).filter((name) => name.startsWith('eas-draft')));
  expect(await draftsOf()).toHaveLength(1);
  await press(page, 'Close');
  await press(page, 'Sign out');
  await page.getByLabel('E-mail').waitFor();
  expect(await draftsOf()).toEqual([]);
  await close(403);
});

inBrowser('a comment whose response was lost is added once, even if it is sent several times', async () => {
  const { id } = await post('/v1/tasks', { title: 'Commented', description: 'x', assigned_role: 'pm' });
  const { page, close } = await open({ path: `/admin/tasks/${id}` });
  await page.getByLabel('Comment or message').fill('Only once.');
  await page.route(
    (url) => url.pathname === `/v1/tasks/${id}/comments`,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await press(page, 'Comment');
  await page.getByText('The service cannot be reached.').waitFor();
  await press(page, 'Comment');
  await page.getByText('Comment added').waitFor();
  const { data } = await get(`/v1/tasks/${id}/timeline?type=comment`);
  expect(data).toMatchObject([{ content: 'Only once.' }]);
  await close('net::ERR_FAILED');
});
