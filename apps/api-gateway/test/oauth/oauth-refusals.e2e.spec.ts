import { describe, expect, it } from '@jest/globals';
import { eventually } from '@eas/testing';
import { baseUrl, failuresPerMinute, useGateway } from '../gateway.ts';
import { redirectParamsOf, oauthScene, type TokenResponse } from './oauth-scene.ts';

const gateway = useGateway();
const scene = oauthScene(gateway);
const inside = /oidc|koa|postgres|prisma|express|node_modules|\.ts:|\.js:|oops/i;

function expectRefusal({ status, headers, body }: TokenResponse, expected: number, error: string): void {
  expect([status, body.error]).toEqual([expected, error]);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('x-request-id')).toBeTruthy();
  expect(JSON.stringify(body)).not.toMatch(inside);
}

describe('an authorization request', () => {
  it('for an unknown client or a foreign address ends on a page and redirects nowhere', async () => {
    const client = await scene.makeClient();
    const { browser } = await scene.signedIn();
    const foreign: Record<string, string>[] = [
      { redirect_uri: 'https://evil.example.com/' },
      { redirect_uri: 'https://shop.example.com/callback' },
      { redirect_uri: 'https://shop.example.com/callback?from=eas&more=1' },
      { client_id: 'cli_unknown' },
      { client_id: 'a'.repeat(300) },
    ];
    for (const fields of foreign) {
      const page = await scene.ask(browser, client, fields);
      expect([page.status, page.headers.get('location')]).toEqual([400, null]);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'");
      expect(page.text).toContain('<!doctype html>');
      expect(page.text).not.toMatch(inside);
    }
  });

  it.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'id_token' }, 'unsupported_response_type'],
    [{ response_mode: 'form_post' }, 'unsupported_response_mode'],
    [{ response_mode: 'fragment' }, 'unsupported_response_mode'],
    [{ scope: 'tasks:read "' }, 'invalid_scope'],
    [{ scope: 'nonsense' }, 'invalid_scope'],
    [{ prompt: 'none' }, 'consent_required'],
    [{ request: 'a.b.c' }, 'request_not_supported'],
  ])('%j is reported to the client', async (fields, error) => {
    const client = await scene.makeClient();
    const { browser } = await scene.signedIn();
    const result = redirectParamsOf(await scene.ask(browser, client, fields as Record<string, string>));
    expect(result).toMatchObject({ error, state: 's1', iss: baseUrl });
  });

  it('with a character that cannot be kept is 400, never 500', async () => {
    const { browser } = await scene.signedIn();
    const client = await scene.makeClient();
    const nul: Record<string, string>[] = [{ state: 'a\0' }, { client_id: '\0' }, { scope: '\0' }];
    for (const fields of nul)
      expect(
        (await browser.get(`/oauth/authorize?${new URLSearchParams({ ...fields, response_type: 'code' })}`)).status,
      ).toBe(400);
    const late = `/oauth/authorize?response_type=code&client_id=${client.id}&state=a?b%00`;
    expect((await browser.get(late)).status).toBe(400);
    expect((await scene.exchange({ ...client, id: '\0' }, '\0')).status).toBe(401);
    expect((await scene.exchange(client, '\0')).body.error).toBe('invalid_grant');
  });

  it('by a person of another tenant gives nothing', async () => {
    const client = await scene.makeClient();
    const { browser } = await scene.signedIn(['tasks:read'], await gateway.test.createTenant());
    expect(redirectParamsOf(await scene.ask(browser, client))).toMatchObject({ error: 'access_denied', state: 's1' });
  });
});

describe('the token endpoint', () => {
  it('refuses a wrong secret, an unknown client and a secret of a public client', async () => {
    const client = await scene.makeClient();
    const code = await scene.codeFor(client);
    const wrong = await scene.exchange({ ...client, secret: 'wrong' }, code);
    expectRefusal(wrong, 401, 'invalid_client');
    const basic = Buffer.from(`${client.id}:wrong`).toString('base64');
    const byHeader = await scene.post(
      '/oauth/token',
      { grant_type: 'authorization_code' },
      { authorization: `Basic ${basic}` },
    );
    expectRefusal(byHeader, 401, 'invalid_client');
    expect(byHeader.headers.get('www-authenticate')).toMatch(/^Basic /);
    expectRefusal(await scene.exchange({ id: 'cli_unknown', secret: 'x' }, code), 401, 'invalid_client');
    const open = await scene.makeClient({ is_public: true });
    expectRefusal(await scene.exchange({ ...open, secret: 'x' }, code), 401, 'invalid_client');
    expectRefusal(await scene.exchange({ id: client.id }, code), 401, 'invalid_client');
    expect((await scene.exchange(client, code)).status).toBe(200);
  });

  it('refuses a code of another client, for another address, and one that is made up', async () => {
    const client = await scene.makeClient();
    const code = await scene.codeFor(client);
    expectRefusal(await scene.exchange(await scene.makeClient(), code), 400, 'invalid_grant');
    expectRefusal(
      await scene.exchange(client, code, { redirect_uri: 'https://evil.example.com/' }),
      400,
      'invalid_grant',
    );
    expectRefusal(await scene.exchange(client, 'made-up'), 400, 'invalid_grant');
    expect((await scene.exchange(client, code)).status).toBe(200);
  });

  it('refuses other grants, repeated and missing parameters, and bodies of another type', async () => {
    const client = await scene.makeClient();
    const credentials = { client_id: client.id, client_secret: client.secret ?? '' };
    for (const grant of ['password', 'client_credentials', 'implicit', 'nonsense'])
      expectRefusal(
        await scene.post('/oauth/token', { ...credentials, grant_type: grant }),
        400,
        'unsupported_grant_type',
      );
    expectRefusal(await scene.post('/oauth/token', credentials), 400, 'invalid_request');
    expectRefusal(
      await scene.post('/oauth/token', { ...credentials, grant_type: 'refresh_token' }),
      400,
      'invalid_request',
    );
    const send = async (body: string, type: string) => {
      const response = await fetch(`${gateway.address()}/oauth/token`, {
        method: 'POST',
        body,
        headers: { 'content-type': type, accept: 'text/html' },
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    };
    const form = new URLSearchParams({ ...credentials, grant_type: 'refresh_token', refresh_token: 'a' }).toString();
    expectRefusal(await send(`${form}&refresh_token=b`, 'application/x-www-form-urlencoded'), 400, 'invalid_request');
    expectRefusal(await send(JSON.stringify(credentials), 'application/json'), 400, 'invalid_request');
    expectRefusal(await send('x'.repeat(100_000), 'application/x-www-form-urlencoded'), 400, 'invalid_request');
  });

  it('throttles an address that sends too many unknown codes', async () => {
    const client = await scene.makeClient();
    let last = await scene.exchange(client, 'x');
    expectRefusal(last, 400, 'invalid_grant');
    for (let sent = 0; sent <= 2 * failuresPerMinute && last.status === 400; sent += 20)
      last = (await Promise.all(Array.from({ length: 20 }, () => scene.exchange(client, 'x')))).at(-1) ?? last;
    expectRefusal(last, 429, 'temporarily_unavailable');
  });

  it('throttles wrong credentials of an address that sends too many of them, but not right ones', async () => {
    const client = await scene.makeClient();
    const wrong = { ...client, secret: 'wrong' };
    let last = await scene.exchange(wrong, 'x');
    // The minute may end in between.
    for (let sent = 0; sent <= 2 * failuresPerMinute && last.status === 401; sent += 20)
      last = (await Promise.all(Array.from({ length: 20 }, () => scene.exchange(wrong, 'x')))).at(-1) ?? last;
    expectRefusal(last, 429, 'temporarily_unavailable');
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expectRefusal(
      await scene.post('/oauth/introspect', { token: 'x', client_id: client.id, client_secret: 'no' }),
      429,
      'temporarily_unavailable',
    );
    // Other users of the guesser's address can still sign in, if later.
    const code = await scene.codeFor(client);
    await eventually(async () => (await scene.exchange(client, code)).status === 200);
  });
});

describe('an authorization', () => {
  const begin = (query: string) => fetch(`${gateway.address()}/oauth/authorize?${query}`, { redirect: 'manual' });

  it('is begun 300 times a minute by an address at most, and leaves no row beyond', async () => {
    const { id } = await scene.makeClient();
    const counted = async () => (await gateway.rows())?.['oauth_records'];
    const one = () => begin(`response_type=code&client_id=${id}`);
    expect((await one()).status).toBe(303);
    let before: Awaited<ReturnType<typeof counted>>;
    let last: Response;
    // The minute may end in between: then they are sent again.
    do {
      for (let sent = 0, isRefused = false; sent <= 300 && !isRefused; sent += 20)
        isRefused = (await Promise.all(Array.from({ length: 20 }, one))).some(({ status }) => status === 429);
      before = await counted();
      last = await one();
    } while (last.status === 303);
    expect([last.status, last.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await counted()).toBe(before);
  });
});

describe('paths', () => {
  it('other than those of the protocol are 404', async () => {
    const paths = [
      '/oauth',
      '/oauth/',
      '/oauth/userinfo',
      '/oauth/jwks',
      '/oauth/reg',
      '/oauth/device/auth',
      '/oauth/session/end',
      '/oauth/session/end/confirm',
      '/oauth/TOKEN',
      '/oauth/authorize/a/b',
      '/jwks',
      '/me',
      '/.well-known/openid-configuration',
    ];
    for (const path of paths)
      for (const method of ['GET', 'POST']) {
        const response = await fetch(gateway.address() + path, { method });
        expect([path, method, response.status]).toEqual([path, method, 404]);
      }
  });

  it('respond to other methods with 405 and the one that they have', async () => {
    for (const [path, allow] of [
      ['/oauth/token', 'POST'],
      ['/oauth/revoke', 'POST'],
      ['/oauth/introspect', 'POST'],
      ['/oauth/authorize', 'GET'],
    ]) {
      const response = await fetch(`${gateway.address()}${path}`, { method: 'DELETE' });
      expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
      expect(await response.json()).toMatchObject({ error: 'invalid_request' });
    }
  });

  it('of other origins get no CORS headers', async () => {
    const { headers } = await scene.post('/oauth/token', {}, { origin: 'https://evil.example.com' });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});
