import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { axeFindings, inBrowser, overflowOf, person, signIn, useDashboard } from './dashboard.ts';

const { open, post, address } = useDashboard();
const dist = resolve(import.meta.dirname, '../dist');
const heading = (name: string) => ['heading', { name, level: 1 }] as const;

describe('the files of the dashboard', () => {
  inBrowser(
    'come with a strict policy, compressed, and are kept by browsers for ever if their names say what is inside',
    async () => {
      const page = await fetch(`${address()}/admin/`, { redirect: 'manual' });
      expect([page.status, page.headers.get('location')]).toEqual([303, '/sign-in?return_to=%2Fadmin%2F']);
      const [, script = ''] = /src="\.\/(app\/[^"]+)"/.exec(readFileSync(`${dist}/index.html`, 'utf8')) ?? [];
      for (const encoding of ['br', 'gzip', 'identity']) {
        const response = await fetch(`${address()}/admin/${script}`, { headers: { 'accept-encoding': encoding } });
        expect(response.status).toBe(200);
        expect(response.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
        expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
        expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(response.headers.get('vary')).toContain('Accept-Encoding');
        expect(await response.text()).toBe(readFileSync(`${dist}/${script}`, 'utf8'));
      }
      for (const path of ['/admin/app/nothing.js', '/admin/app/', '/admin/app/%2e%2e/manifest.json', '/admin/nothing'])
        expect((await fetch(address() + path, { redirect: 'manual' })).status).toBe(404);
    },
  );

  it('are less than 250 kB of compressed JavaScript at first', () => {
    type Chunk = { file: string; imports?: string[]; isEntry?: boolean };
    const manifest = JSON.parse(readFileSync(`${dist}/manifest.json`, 'utf8')) as Record<string, Chunk>;
    const first = new Set(Object.keys(manifest).filter((name) => manifest[name]?.isEntry));
    for (const name of first) manifest[name]?.imports?.forEach((imported) => first.add(imported));
    const bytes = [...first].map((name) => statSync(`${dist}/${manifest[name]?.file}.gz`).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
  });

  inBrowser('open at the address of the service in a browser, and not for programs', async () => {
    const browser = await fetch(address(), { headers: { accept: 'text/html,*/*;q=0.8' }, redirect: 'manual' });
    expect([browser.status, browser.headers.get('location')]).toEqual([303, `${address()}/admin/`]);
    expect(await (await fetch(address())).json()).toMatchObject({ admin: `${address()}/admin/` });
  });
});

describe('a part of the dashboard that cannot be loaded', () => {
  const chunk = /\/admin\/app\/task-list-page-[^/]+\.js$/;
  const sections = ['navigation', { name: 'Sections' }] as const;

  async function openTasks(status: number | undefined) {
    // The browser reports the failed request, so the visit is not closed as one without errors.
    const { page } = await open({ path: '/admin/overview' });
    await page.getByRole(...heading('Overview')).waitFor();
    await page.route(chunk, (route) => (status === undefined ? route.abort() : route.fulfill({ status })));
    const tasks = page.getByRole(...sections).getByRole('link', { name: /^Tasks/ });
    return { page, tasks };
  }

  inBrowser('does not affect the rest of the page, and is loaded by a retry', async () => {
    const { page, tasks } = await openTasks(undefined);
    await tasks.click();
    const note = page.getByRole('alert').filter({ hasText: 'This part could not be loaded' });
    await note.waitFor();
    expect(await page.getByRole(...sections).isVisible()).toBe(true);
    await note.getByRole('button', { name: 'Try again' }).click();
    await note.waitFor();
    await page
      .getByRole(...sections)
      .getByRole('link', { name: /^Agents/ })
      .click();
    await page.getByRole(...heading('Agents')).waitFor();
    await tasks.click();
    await note.waitFor();
    await page.unroute(chunk);
    await note.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole(...heading('Tasks')).waitFor();
    await page.context().close();
  });

  inBrowser('asks to reload the page after a new release, which removed its file', async () => {
    const { page, tasks } = await openTasks(404);
    const next = readFileSync(`${dist}/index.html`, 'utf8').replace(/app\/index-[^"]+\.js/, 'app/index-next.js');
    await page.route(/\/admin\/$/, (route) => route.fulfill({ contentType: 'text/html', body: next }));
    await tasks.click();
    const note = page.getByRole('alert').filter({ hasText: 'The dashboard has a new version' });
    await note.waitFor();
    await page.unrouteAll();
    await note.getByRole('button', { name: 'Reload the page' }).click();
    await page.getByRole(...heading('Tasks')).waitFor();
    await page.context().close();
  });
});

describe('the frame of the dashboard', () => {
  inBrowser('opens after signing in at the page that was asked for', async () => {
    const { page, close } = await open({ isSignedIn: false, path: '/admin/tasks?status=open' });
    await signIn(page);
    await page.getByRole(...heading('Tasks')).waitFor();
    expect(page.url()).toBe(`${address()}/admin/tasks?status=open`);
    await close();
  });

  inBrowser('is operated by keyboard: sections, commands, help, and focus on the title', async () => {
    const { page, close } = await open({ path: '/admin/' });
    await page.getByRole(...heading('Overview')).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await page.getByRole(...heading('Tasks')).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Tasks');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search commands' }).fill('inbox');
    await page.keyboard.press('Enter');
    await page.getByRole(...heading('Inbox')).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await close();
  });

  inBrowser('ignores single keys when shortcuts are switched off, and remembers that', async () => {
    const { page, close } = await open({ path: '/admin/inbox' });
    await page.getByRole(...heading('Inbox')).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('checkbox', { name: 'Single keys are commands' }).uncheck();
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByRole(...heading('Inbox')).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search commands' }).fill('keyboard');
    expect(new URL(page.url()).pathname).toBe('/admin/inbox');
    expect(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByRole('checkbox', { name: 'Single keys are commands' }).check();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await page.getByRole(...heading('Tasks')).waitFor();
    await close();
  });

  inBrowser('shows exact times if that is chosen', async () => {
    await post('/v1/tasks', { title: 'Timed', description: 'x' });
    const { page, close } = await open({ path: '/admin/tasks' });
    const time = page.getByRole('row', { name: /^Timed/ }).locator('time');
    await time.waitFor();
    const exact = time.filter({ hasText: /\d, \d\d:\d\d:\d\d$/ });
    expect(await exact.count()).toBe(0);
    await page.keyboard.press('E');
    await exact.waitFor();
    await page.reload();
    await exact.waitFor();
    await close();
  });

  inBrowser('remembers the theme that was chosen', async () => {
    const { page, close } = await open({ path: '/admin/inbox', colorScheme: 'light' });
    const theme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    await page.getByRole('button', { name: 'Theme: system' }).click();
    await page.getByRole('button', { name: 'Theme: light' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
    expect(await theme()).toBe('dark');
    await close();
  });

  inBrowser('fails axe where only dark colours lack contrast', async () => {
    const { page, close } = await open({ path: '/admin/inbox' });
    await page.getByRole(...heading('Inbox')).waitFor();
    await page.evaluate(async () => {
      const sheet = await new CSSStyleSheet().replace(
        '@media (prefers-color-scheme: dark) { h1 { color: #222; background: #111 } }',
      );
      document.adoptedStyleSheets = [sheet];
    });
    expect(await axeFindings(page)).toEqual([expect.stringMatching(/^dark: color-contrast: 1, as <h1/)]);
    await close();
  });

  inBrowser('fits 360 pixels, with the sections behind a button', async () => {
    const { page, close } = await open({ path: '/admin/inbox', width: 360 });
    await page.getByRole(...heading('Inbox')).waitFor();
    expect(await overflowOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Tasks', exact: true }).click();
    await page.getByRole(...heading('Tasks')).waitFor();
    expect(await overflowOf(page)).toEqual([]);
    await close();
  });

  inBrowser('reports that the connection is lost, and that it is back', async () => {
    const { page, close } = await open({ path: '/admin/inbox' });
    await page.getByRole(...heading('Inbox')).waitFor();
    await page.context().setOffline(true);
    await page.evaluate(() => dispatchEvent(new Event('offline')));
    await page.getByText('The connection is lost.').waitFor();
    await page.context().setOffline(false);
    await page.getByText('The connection is lost.').waitFor({ state: 'detached' });
    await close('net::ERR_INTERNET_DISCONNECTED');
  });

  inBrowser('asks to sign in again over the page when the session has ended', async () => {
    const { page, close } = await open({ path: '/admin/inbox', isSignedIn: false });
    await signIn(page);
    await page.getByRole(...heading('Inbox')).waitFor();
    await page.context().clearCookies();
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await page.getByLabel('Password').fill('wrong words');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password').fill(person.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await close(401);
  });
});
