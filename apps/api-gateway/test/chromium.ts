import { hangMs } from '@eas/testing/eventually';
import { findChromium, leftOut } from '@eas/testing/programs';
import { it } from '@jest/globals';
import { chromium, type Page } from 'playwright-core';

const executablePath = findChromium();

/** Tests in a browser. */
export const inBrowser = leftOut('Chromium', executablePath !== undefined) ? it.skip : it;

export type Person = { email: string; password: string };

/** Signs people in one after the other, each in a browser of their own. Gives what the browsers complained of. */
export async function visitAs<P extends Person>(
  people: readonly P[],
  { address, path }: { address: string; path: string },
  visit: (page: Page, person: P) => Promise<void>,
): Promise<string[]> {
  const complaints: string[] = [];
  // Root may not use Chromium's sandbox, and nothing but our own pages is opened.
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: ['--no-sandbox'],
    timeout: hangMs,
  });
  try {
    for (const person of people) {
      const page = await browser.newPage({ baseURL: address });
      page.setDefaultTimeout(hangMs);
      page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
      page.on('pageerror', (error) => void complaints.push(error.message));
      await page.goto(`/sign-in?return_to=${encodeURIComponent(path)}`);
      await page.getByLabel('E-mail').fill(person.email);
      await page.getByLabel('Password').fill(person.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await visit(page, person);
      await page.close();
    }
  } finally {
    await browser.close();
  }
  return complaints;
}
