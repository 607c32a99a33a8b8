import { createHash, randomBytes } from 'node:crypto';
import { createUser } from '@eas/access';
import { type Scope, scopes } from '@eas/contracts';
import { type Browser, openBrowser, type Page } from '../browser.ts';
import type { Gateway, Json } from '../gateway.ts';

export const redirectUri = 'https://shop.example.com/callback?from=eas';
const password = 'a few words in a row';

export type Client = { id: string; secret?: string };
type Fields = Readonly<Record<string, string>>;
export type TokenResponse = { status: number; headers: Headers; body: Json };

/** A pair of texts for PKCE. */
export function pkcePair() {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return { verifier, request: { code_challenge: challenge, code_challenge_method: 'S256' } };
}

/** What persons and clients do with the authorization server. */
export function oauthScene(gateway: Gateway) {
  async function makeClient(fields: object = {}): Promise<Client> {
    const body = { name: 'Web shop', redirect_uris: [redirectUri], scopes: ['tasks:read', 'agents:read'], ...fields };
    const { id, client_secret: secret } = await gateway.make('/admin/api/clients', body);
    return { id, secret };
  }

  /** A browser in which a person with these scopes is signed in. */
  async function signedIn(own: readonly Scope[] = ['tasks:read', 'agents:read'], tenantId?: string) {
    const email = `${randomBytes(6).toString('hex')}@example.com`;
    const context = gateway.test.context(tenantId === undefined ? {} : { tenantId });
    const { user } = await createUser(context, { body: { email, name: 'Ada', scopes: [...own], password }, scopes });
    const browser = openBrowser(gateway.address);
    await browser.get('/sign-in');
    await browser.submit({ email, password });
    return { browser, email, user };
  }

  /** Where a browser comes that follows a client's link: the page that asks, or the response to the client. */
  async function ask(browser: Browser, client: Client, fields: Fields = {}): Promise<Page> {
    const query = { response_type: 'code', client_id: client.id, redirect_uri: redirectUri, state: 's1', ...fields };
    const first = await browser.get(`/oauth/authorize?${new URLSearchParams(query)}`);
    return onward(browser, first);
  }

  /** Follows redirects as long as they stay on this service. */
  async function onward(browser: Browser, page: Page): Promise<Page> {
    let last = page;
    while (last.status === 303 && last.headers.get('location')?.startsWith('/')) last = await browser.follow();
    return last;
  }

  const decide = async (browser: Browser, decision: 'allow' | 'deny') =>
    onward(browser, await browser.submit({ decision }));

  /** The code of a client after a person has allowed what it asks for. */
  async function codeFor(client: Client, fields: Fields = {}, own?: readonly Scope[]): Promise<string> {
    const { browser } = await signedIn(own);
    await ask(browser, client, fields);
    return redirectParamsOf(await decide(browser, 'allow'))['code'] ?? 'no code';
  }

  async function post(path: string, fields: Fields, headers: Fields = {}): Promise<TokenResponse> {
    const response = await fetch(gateway.address() + path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  }

  const credentials = ({ id, secret }: Client): Fields => ({
    client_id: id,
    ...(secret === undefined ? {} : { client_secret: secret }),
  });
  const exchange = (client: Client, code: string, fields: Fields = {}) =>
    post('/oauth/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      ...credentials(client),
      ...fields,
    });
  const refresh = (client: Client, token: string, fields: Fields = {}) =>
    post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, ...credentials(client), ...fields });

  return {
    makeClient,
    signedIn,
    ask,
    decide,
    onward,
    codeFor,
    post,
    exchange,
    refresh,
    /** The tokens of a client after a person has allowed what it asks for. */
    tokensFor: async (client: Client, fields: Fields = {}, own?: readonly Scope[]): Promise<Json> =>
      (await exchange(client, await codeFor(client, fields, own))).body,
    introspect: async (client: Client, token: string): Promise<Json> =>
      (await post('/oauth/introspect', { token, ...credentials(client) })).body,
    revoke: (client: Client, token: string) => post('/oauth/revoke', { token, ...credentials(client) }),
    /** Status of a call with a bearer token. */
    callWith: async (token: string, path = '/v1/tasks'): Promise<number> =>
      (await gateway.get(path, { key: null, headers: { authorization: `Bearer ${token}` } })).status,
  };
}

/** The parameters that a browser brings back to the client. */
export function redirectParamsOf({ status, headers }: Page): Record<string, string> {
  const location = headers.get('location') ?? '';
  if (status !== 303 || !location.startsWith(redirectUri)) throw new Error(`not sent back: ${status} ${location}`);
  const { searchParams, hash } = new URL(location);
  return Object.fromEntries([...searchParams, ...new URLSearchParams(hash.slice(1))]);
}
