// Section 5: API keys, OAuth 2.0 and what is refused.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Browser, openBrowser, signedIn } from './browser.ts';
import { call, eventually, type Json, makeKey, ok, post, refused, remove, type Reply, run } from './call.ts';
import { endpoints } from './endpoints.ts';
import { arrayOf, assertForm, object, text } from './forms.ts';

const bearer = (token: string) => ({ key: null, headers: { Authorization: `Bearer ${token}` } });

describe('5 endpoints require authentication', () => {
  for (const { method, path, body } of endpoints)
    it(`${method} ${path} requires authentication`, async () => {
      assert.equal((await refused(401, path, { key: null, method, body })).code, 'unauthorized');
    });
});

describe('5 API keys', () => {
  it('an API key is sent in the header X-API-Key', async () => {
    const key = await makeKey({ scopes: ['tasks:read'] });
    assertForm((await ok('/v1/tasks', { key: null, headers: { 'X-API-Key': key } })).data, arrayOf(object));
  });

  describe('in the admin dashboard', () => {
    let dashboard: Reply;
    let session: Record<string, string>;
    let made: Json;
    before(async () => {
      const browser = await signedIn();
      dashboard = await browser.get('/admin');
      const Cookie = browser.cookie();
      const { csrf_token } = await ok('/admin/api/session', { key: null, headers: { Cookie } });
      session = { Cookie, 'X-CSRF-Token': csrf_token };
      const body = { name: `Dashboard ${run}`, scopes: ['tasks:read'] };
      made = await ok('/admin/api/keys', { key: null, headers: session, body });
    });

    it('the admin dashboard is a page', () => {
      assert.equal(dashboard.status, 200);
      assert.match(dashboard.headers.get('content-type') ?? '', /^text\/html/);
      assert.match(dashboard.text, /<script/);
    });
    it('API keys are generated in the admin dashboard', async () =>
      assert.equal((await call('/v1/tasks', { key: made.key })).status, 200));
    it('API keys are listed and revoked in the admin dashboard', async () => {
      const { data } = await ok('/admin/api/keys?limit=100', { key: null, headers: session });
      assert.ok(data.some(({ id }: Json) => id === made.id));
      await ok(`/admin/api/keys/${made.id}`, { key: null, headers: session, method: 'DELETE' });
      const use = () => call('/v1/tasks', { key: made.key });
      assert.equal((await eventually(use, ({ status }) => status !== 200)).status, 401);
    });
  });
});

describe('5 OAuth 2.0', () => {
  const redirect_uri = 'https://shop.example.com/callback';
  let client: Json;
  let person: Browser;
  let authorization: string;
  before(async () => {
    const body = { name: `Shop ${run}`, redirect_uris: [redirect_uri], scopes: ['tasks:read'] };
    client = await post('/admin/api/clients', body);
    person = await signedIn();
    const query = { response_type: 'code', client_id: client.id, redirect_uri, state: run };
    authorization = `/oauth/authorize?${new URLSearchParams(query)}`;
  });
  after(() => remove(`/admin/api/clients/${client.id}`));

  /** Where the client gets the code, when a person has allowed what it asks for. */
  async function visit(): Promise<URL> {
    const page = await person.get(authorization);
    const { headers } = page.status === 200 ? await person.submit({ decision: 'allow' }) : page;
    return new URL(headers.get('location') ?? 'about:blank');
  }
  const fields = async (): Promise<Record<string, string>> => ({
    grant_type: 'authorization_code',
    code: (await visit()).searchParams.get('code') ?? 'none',
    client_id: client.id,
    client_secret: client.client_secret,
    redirect_uri,
  });
  const exchange = (form: Record<string, string>): Promise<Reply> =>
    call('/oauth/token', {
      key: null,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams(form)),
    });

  it('OAuth redirects the user to an authorization page', async () => {
    const first = await call(authorization, { key: null });
    assert.equal(first.status, 303);
    const page = await openBrowser().get(authorization);
    assert.equal(page.status, 200);
    assert.match(page.text, /<form method="post"/);
  });
  it('an authorization code comes back', async () => {
    const { origin, pathname, searchParams } = await visit();
    assert.equal(origin + pathname, redirect_uri);
    assertForm(searchParams.get('code'), text);
    assert.equal(searchParams.get('state'), run);
  });

  it('POST /oauth/token gives an access token for the code', async () => {
    const { status, body } = await exchange(await fields());
    assert.equal(status, 200);
    assertForm(body.access_token, text);
  });
  for (const parameter of ['grant_type', 'code', 'client_id', 'client_secret', 'redirect_uri'])
    it(`POST /oauth/token reads the form parameter ${parameter}`, async () => {
      const { status, body } = await exchange({ ...(await fields()), [parameter]: 'https://wrong.example.com/' });
      assert.ok(status === 400 || status === 401, `${status}`);
      assert.ok(!('access_token' in body));
    });
  it('an access token is sent as bearer token', async () => {
    const { body } = await exchange(await fields());
    assertForm((await ok('/v1/tasks', bearer(body.access_token))).data, arrayOf(object));
  });
});

describe('5 refused requests', () => {
  const refusals: [string, number, string, () => Promise<Json>][] = [
    ['no credentials', 401, 'unauthorized', () => refused(401, '/v1/tasks', { key: null })],
    ['an invalid API key', 401, 'unauthorized', () => refused(401, '/v1/tasks', { key: 'nonsense' })],
    ['an invalid bearer token', 401, 'unauthorized', () => refused(401, '/v1/tasks', bearer('nonsense'))],
  ];
  for (const [what, status, code, request] of refusals)
    it(`${what} is ${status} with the code ${code}`, async () => assert.equal((await request()).code, code));
  it('no permission for the action is 403 with the code forbidden', async () => {
    const key = await makeKey({ scopes: ['agents:read'] });
    assert.equal((await refused(403, '/v1/tasks', { key })).code, 'forbidden');
    assert.equal((await call('/v1/agents', { key })).status, 200);
  });
});
