// A browser without scripts: keeps cookies and sends forms with their hidden fields.
import { baseUrl, call, type Reply } from './call.ts';

const { ADMIN_EMAIL: email = '', ADMIN_PASSWORD: password = '' } = process.env;

export type Browser = {
  get(path: string): Promise<Reply>;
  /** Sends the form of the page that was loaded last. */
  submit(fields: Readonly<Record<string, string>>): Promise<Reply>;
  cookie(): string;
};

export function openBrowser(): Browser {
  const cookies = new Map<string, string>();
  let page = '';
  const cookie = (): string => [...cookies].map((pair) => pair.join('=')).join('; ');

  /** Follows redirects as long as they stay on this service. */
  async function go(path: string, form?: URLSearchParams): Promise<Reply> {
    const headers = { Cookie: cookie(), ...(form && { 'Content-Type': 'application/x-www-form-urlencoded' }) };
    const reply = await call(path, { key: null, headers, ...(form && { body: String(form) }) });
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    page = reply.text;
    const location = reply.headers.get('location')?.replace(baseUrl, '');
    return location?.startsWith('/') ? go(location) : reply;
  }

  function submit(fields: Readonly<Record<string, string>>): Promise<Reply> {
    const [, action = '', inner = ''] =
      /<main[\s\S]*?<form method="post" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/.exec(page) ?? [];
    const hidden = inner.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
    const form = new URLSearchParams([...hidden].map(([, name = '', value = '']) => [name, value]));
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return go(action, form);
  }

  return { get: (path) => go(path), submit, cookie };
}

/** The administrator, signed in to the dashboard. */
export async function signedIn(): Promise<Browser> {
  const browser = openBrowser();
  await browser.get('/sign-in');
  await browser.submit({ email, password });
  return browser;
}
