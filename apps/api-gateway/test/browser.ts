/** A page as it came. */
export type Page = { status: number; headers: Headers; text: string };

/** A browser without scripts: it keeps cookies, and sends forms with the hidden fields that their page gave them. */
export function openBrowser(address: () => string) {
  const cookies = new Map<string, string>();
  let last: Page | undefined;

  async function go(path: string, init: RequestInit = {}): Promise<Page> {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { ...(cookie === '' ? {} : { cookie }), ...init.headers };
    const response = await fetch(address() + path, { ...init, headers, redirect: 'manual' });
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    last = { status: response.status, headers: response.headers, text: await response.text() };
    return last;
  }

  const post = (path: string, fields: Fields, headers: Record<string, string> = {}) =>
    go(path, { method: 'POST', body: new URLSearchParams(pairsOf(fields)), headers });

  return {
    cookies,
    get: (path: string, headers?: Record<string, string>) => go(path, headers ? { headers } : {}),
    post,
    /** Sends the form of the last page to its action. */
    submit(fields: Fields): Promise<Page> {
      const form = /<main[\s\S]*<form method="post" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/.exec(last?.text ?? '');
      if (!form) throw new Error(`the page has no form: ${last?.text}`);
      const [, action = '', inner = ''] = form;
      return post(action, { ...hiddenOf(inner), ...fields });
    },
    /** Follows the redirect of the last response. */
    follow: () => go(last?.headers.get('location') ?? 'no location'),
  };
}
export type Browser = ReturnType<typeof openBrowser>;

type Fields = Readonly<Record<string, string | readonly string[]>>;

const pairsOf = (fields: Fields) =>
  Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value as string]),
  );

function hiddenOf(html: string): Record<string, string> {
  const found = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, unescaped(value)]));
}

const unescaped = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => characters[name] as string);
const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
