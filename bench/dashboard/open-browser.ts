import { findChromium } from '@eas/testing/programs';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import type { Bench } from '../harness/bench.ts';
import type { RunningApp } from '../harness/apps.ts';

const executablePath = findChromium();

export type DashboardUser = {
  browser: Browser;
  /** A profile that has loaded nothing yet and is signed in. */
  newProfile(): Promise<BrowserContext>;
  /** The Cookie header of one more session. */
  signIn(): Promise<string>;
  call(path: string, body: unknown, method?: string): Promise<{ id: string }>;
};

/** A user of the gateway's dashboard, and Chromium. */
export async function openBrowser({ apps }: Bench, gateway: RunningApp): Promise<DashboardUser> {
  if (!executablePath) throw new Error('this scenario needs Chromium (Debian: apt-get install chromium)');
  const person = { email: 'bench@example.com', password: 'words for a bench' };
  const call = async (path: string, body: unknown, method = 'POST') => {
    const headers = { 'x-api-key': apps.apiKey, 'content-type': 'application/json' };
    const response = await fetch(gateway.url + path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string };
  };
  const signIn = async () => {
    const response = await fetch(`${gateway.url}/admin/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(person),
    });
    if (!response.ok) throw new Error(`sign-in: ${response.status} ${await response.text()}`);
    return response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0] ?? '')
      .join('; ');
  };
  const scopes = ['tasks:read', 'tasks:write', 'agents:read', 'events:read', 'workflows:read', 'analytics:read'];
  const user = await call('/admin/api/users', { name: 'Bench', email: person.email, scopes });
  await call(`/admin/api/users/${user.id}`, { password: person.password }, 'PATCH');
  // Root may not use Chromium's sandbox, and nothing but our own pages is opened.
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const viewport = { width: 1_280, height: 800 };
  const first = await browser.newContext({ baseURL: gateway.url });
  const response = await first.request.post('/admin/api/session', { data: person });
  if (!response.ok()) throw new Error(`sign-in: ${response.status()} ${await response.text()}`);
  const storageState = await first.storageState();
  return {
    browser,
    signIn,
    call,
    newProfile: () => browser.newContext({ baseURL: gateway.url, viewport, storageState }),
  };
}
