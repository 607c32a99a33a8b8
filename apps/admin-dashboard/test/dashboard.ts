// The dashboard in a running system and real Chromium; any error that the browser reports is a failure.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type Axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium, leftOut } from '@eas/testing/programs';
import type { OwnSystem } from '@eas/testing/own-system';
import { joinSharedSystem } from '@eas/testing/shared-system';
import { startWatchedSystem } from '@eas/testing/watched-system';
import { holdMs } from '../src/api/held-calls.ts';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- responses are walked freely, as a client would
export type Json = any;
/**
 * `close` fails when the browser has reported errors or policy violations. `expected`: statuses of responses, or other
 * parts of such reports, that the test expects.
 */
export type Visit = { page: Page; close(...expected: (number | string)[]): Promise<void> };
export type VisitOptions = {
  colorScheme?: 'light' | 'dark';
  width?: number;
  path?: string;
  isSignedIn?: boolean;
  /** True: decisions are sent after 10 seconds. By default the test sends them. */
  sendsDecisions?: boolean;
};

const executablePath = findChromium();
const notRun = leftOut('Chromium', executablePath !== undefined);
/** Tests in a browser. */
export const inBrowser = notRun ? it.skip : it;

/** Who signs in: the first administrator of the suite's tenant. */
export const person = { email: '', password: 'a few words in a row' };

export type DashboardOptions = {
  /** False: there is no account yet, and `adminLink` creates the first one. */
  hasAdmin?: boolean;
  /** A system of the suite's own, with these settings, as its operator. Left out: a tenant of the shared system. */
  ownSettings?: () => Readonly<Record<string, string>>;
};

// Root may not use Chromium's sandbox, and nothing but our own pages is opened.
const launch = () => chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ['--no-sandbox'] });

export function useDashboard({ hasAdmin = true, ownSettings }: DashboardOptions = {}) {
  let system: Pick<OwnSystem, 'baseUrl' | 'apiKey' | 'adminLink'> & { stop(): Promise<unknown> };
  let browser: Browser;
  let state: Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['storageState']>>;

  beforeAll(async () => {
    if (notRun) return;
    const isShared = hasAdmin && ownSettings === undefined;
    person.email = isShared ? `ada-${randomBytes(4).toString('hex')}@example.com` : 'ada@example.com';
    [system, browser] = await Promise.all([isShared ? joinSystem() : startSystem(), launch()]);
    if (!hasAdmin) return;
    const visit = await open({ isSignedIn: false, path: '/sign-in' });
    await signIn(visit.page);
    await visit.page.getByRole('navigation', { name: 'Sections' }).waitFor();
    state = await visit.page.context().storageState();
    await visit.close();
  });
  // A test that failed leaves pages behind, and a session may have a limited number of streams.
  afterEach(async () => {
    const left = browser?.contexts() ?? [];
    for (const page of left.flatMap((context) => context.pages())) await sayWhatItShows(page);
    await Promise.all(left.map((context) => context.close()));
  });
  afterAll(async () => {
    // Errors while closing do not matter: the run ends what is left.
    await Promise.race([browser?.close(), sleep(10_000, undefined, { ref: false })]);
    await system?.stop();
  });

  function startSystem() {
    const admin = { ADMIN_EMAIL: person.email, ADMIN_PASSWORD: person.password };
    const settings = { ...(hasAdmin ? admin : {}), BOOTSTRAP_RATE_LIMIT: '1000000' };
    return startWatchedSystem(process.env, { ...settings, ...ownSettings?.() });
  }

  async function joinSystem() {
    const { baseUrl, apiKey, stop } = await joinSharedSystem();
    const joined = { baseUrl, apiKey, adminLink: undefined, stop };
    system = joined;
    await call('POST', '/admin/api/users', { ...person, name: person.email, role: 'admin' });
    return joined;
  }

  /** A fresh profile with one page. */
  async function open(options: VisitOptions): Promise<Visit> {
    const { colorScheme = 'light', width = 1_280, path, isSignedIn = true, sendsDecisions = false } = options;
    const context = await browser.newContext({
      baseURL: system.baseUrl,
      colorScheme,
      viewport: { width, height: 800 },
      ...(isSignedIn ? { storageState: state } : {}),
    });
    // A limit for hangs: a busy machine takes its time.
    context.setDefaultTimeout(60_000);
    if (!sendsDecisions) await context.addInitScript(keepHeld, holdMs);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
    page.on('pageerror', (error) => void complaints.push(error.message));
    await page.addInitScript(() =>
      addEventListener('securitypolicyviolation', (event) =>
        reportError(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`),
      ),
    );
    if (path !== undefined) await page.goto(path);
    const close = async (...expected: (number | string)[]) => {
      await context.close();
      expect(complaints.filter((text) => !expected.some((part) => text.includes(String(part))))).toEqual([]);
    };
    return { page, close };
  }

  /**
   * The findings of axe on each of the pages, and what does not fit: 360 pixels wide, in one profile, which loads the
   * code once. `untilShown` waits for the content.
   */
  async function narrowFindings(paths: readonly string[], untilShown: (page: Page, path: string) => Promise<unknown>) {
    const { page, close } = await open({ width: 360 });
    const findings: string[] = [];
    for (const path of paths) {
      await page.goto(path);
      await untilShown(page, path);
      const found = [...(await axeFindings(page)), ...(await overflowOf(page)).map((wide) => `too wide: ${wide}`)];
      findings.push(...found.map((finding) => `${path}: ${finding}`));
    }
    await close();
    return findings;
  }

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Json> {
    const response = await fetch(system.baseUrl + path, {
      method,
      headers: { 'x-api-key': system.apiKey, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  return {
    open,
    narrowFindings,
    get: (path: string) => call('GET', path),
    post: (path: string, body: unknown) => call('POST', path, body),
    remove: (path: string) => call('DELETE', path),
    patch: (path: string, body: unknown) => call('PATCH', path, body),
    address: () => system.baseUrl,
    adminLink: () => system.adminLink ?? '',
  };
}
export type DashboardSystem = ReturnType<typeof useDashboard>;

/** The page of a test that failed, for its log. */
async function sayWhatItShows(page: Page): Promise<void> {
  const text = await page.locator('body').innerText({ timeout: 5_000 }).catch(String);
  process.stderr.write(
    `${expect.getState().currentTestName} was at ${page.url()}, which shows:\n${text.slice(0, 3_000)}\n`,
  );
}

/** On a slow machine the time for undoing would end too early. */
function keepHeld(heldMs: number): void {
  const start = window.setTimeout as unknown as (...timer: unknown[]) => number;
  const setTimeout = (work: unknown, ms?: number, ...rest: unknown[]) =>
    start(work, ms === heldMs ? 3_600_000 : ms, ...rest);
  Object.assign(window, { setTimeout });
}

export async function signIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Presses a key that decides about what is shown, once that was on screen. */
export async function decideBy(page: Page, key: string): Promise<void> {
  await page.locator(`[aria-keyshortcuts="${key}"]`).first().waitFor();
  await page.keyboard.press(key);
}

/** Sends what can still be undone, and waits for the responses. */
export async function sendHeld(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Send now' });
  await button.first().waitFor();
  while ((await button.count()) > 0) await button.first().click();
  await until(async () => (await page.getByText('Sending …').count()) === 0);
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * The findings of axe for WCAG 2.2 A and AA on the page in its present state: rule, number of elements, the first of
 * them. Dark colours are checked for contrast only: nothing else differs.
 */
export async function axeFindings(page: Page): Promise<string[]> {
  const light = await runAxe(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await settle(page);
  const dark = await runAxe(page, ['color-contrast']);
  await page.emulateMedia({ colorScheme: 'light' });
  await settle(page);
  return [...light, ...dark.map((finding) => `dark: ${finding}`)];
}

/** Colours change a frame after the scheme, and some of them slowly. */
const settle = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise((drawn) => requestAnimationFrame(drawn));
      await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    }
  });

/** The same in the present colours, by all rules or some. */
export async function runAxe(page: Page, runOnly: readonly string[] = wcag): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(
    async (only) => {
      const { axe } = globalThis as unknown as { axe: typeof Axe };
      const { violations } = await axe.run(document, { runOnly: only });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.length}, as ${nodes[0]?.html}`);
    },
    [...runOnly],
  );
}

/** The elements that make the page wider than its window; empty if it fits. */
export const overflowOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.querySelectorAll('body *')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth,
    );
    return [`${scrollWidth}`, ...wide.slice(-4).map((element) => element.outerHTML.slice(0, 200))];
  });

/**
 * Polls every 20 ms until the condition holds; the time limit is only for hangs and slow conditions. A check that began
 * within the limit counts, however late its result.
 */
export async function until(isSo: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
  const endMs = Date.now() + withinMs;
  for (let isLast = false; !(await isSo()); await sleep(20)) {
    if (isLast) throw new Error(`not so after ${withinMs} ms`);
    isLast = Date.now() > endMs;
  }
}
