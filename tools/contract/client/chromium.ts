// Chromium as a person has it; whatever the browser complains about is a failure.
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const executablePath = process.env['CONTRACT_CHROMIUM'] ?? '/usr/bin/chromium';

export type Watched = { context: BrowserContext; page: Page; complaints: string[]; close(): Promise<void> };

/** Root may not use Chromium's sandbox, and nothing but our own pages is opened. */
export const openChromium = (): Promise<Browser> => chromium.launch({ executablePath, args: ['--no-sandbox'] });

/** A fresh profile with one page. `complaints`: errors of scripts, of the console, and breaches of a page's policy. */
export async function openPage(
  browser: Browser,
  baseURL: string,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<Watched> {
  const context = await browser.newContext({ baseURL, colorScheme });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
  page.on('pageerror', (error) => void complaints.push(error.message));
  await page.addInitScript(() =>
    addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    ),
  );
  return { context, page, complaints, close: () => context.close() };
}

/** Does the work; when it fails, a screenshot is kept in the suite's folder. */
export async function photographed(name: string, { page }: Watched, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const path = join(process.env['CONTRACT_FOLDER'] ?? '.', `${name}.png`);
    await page.screenshot({ path, fullPage: true }).catch(() => {});
    throw new Error(`${error instanceof Error ? error.message : String(error)} (at ${page.url()}, see ${path})`);
  }
}

export async function signIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill(process.env['ADMIN_EMAIL'] ?? '');
  await page.getByLabel('Password').fill(process.env['ADMIN_PASSWORD'] ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
}
