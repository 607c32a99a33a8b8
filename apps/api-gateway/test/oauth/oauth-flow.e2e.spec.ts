import { scopeMeanings, scopes } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import { baseUrl, useGateway } from '../gateway.ts';
import { redirectParamsOf, oauthScene, pkcePair, redirectUri } from './oauth-scene.ts';

const gateway = useGateway();
const scene = oauthScene(gateway);

describe('the authorization code flow', () => {
  it('gives tokens for what a person allows, and they open the API', async () => {
    const client = await scene.makeClient();
    const { browser, email } = await scene.signedIn();
    const page = await scene.ask(browser, client);
    expect(page.status).toBe(200);
    for (const text of ['Web shop asks for access', email, scopeMeanings['tasks:read'], 'shop.example.com'])
      expect(page.text).toContain(text);
    expect(page.text).not.toContain(scopeMeanings['webhooks:read']);
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' https://shop.example.com;`);
    const response = redirectParamsOf(await scene.decide(browser, 'allow'));
    expect(response).toEqual({ from: 'eas', code: expect.any(String), state: 's1', iss: baseUrl });
    const { status, headers, body } = await scene.exchange(client, response['code'] ?? '');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3_600,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      scope: 'agents:read tasks:read',
    });
    expect(await scene.callWith(body.access_token)).toBe(200);
    expect(await scene.callWith(body.access_token, '/v1/webhooks')).toBe(403);
  });

  it('takes the credentials of the client by HTTP Basic too', async () => {
    const client = await scene.makeClient();
    const code = await scene.codeFor(client);
    const basic = Buffer.from(`${client.id}:${client.secret}`).toString('base64');
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    const { status } = await scene.post('/oauth/token', form, { authorization: `Basic ${basic}` });
    expect(status).toBe(200);
  });

  it('sends a person who is not signed in to sign in, and back', async () => {
    const client = await scene.makeClient();
    const { browser } = await scene.signedIn();
    const session = browser.cookies.get('__Host-eas_session') ?? '';
    browser.cookies.delete('__Host-eas_session');
    const page = await scene.ask(browser, client);
    expect(page.text).toContain('<h1>Sign in</h1>');
    expect(page.text).toContain('name="return_to" value="/oauth/interaction/');
    // For a client that was allowed before, redirects lead from here to the client.
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' https://shop.example.com;`);
    browser.cookies.set('__Host-eas_session', session);
    const back = /name="return_to" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    expect((await browser.get(back)).text).toContain('asks for access');
  });

  it('asks again only for further scopes, or when the client requests it', async () => {
    const client = await scene.makeClient();
    const { browser } = await scene.signedIn();
    await scene.ask(browser, client, { scope: 'tasks:read' });
    await scene.decide(browser, 'allow');
    const again = redirectParamsOf(await scene.ask(browser, client, { scope: 'tasks:read' }));
    expect((await scene.exchange(client, again['code'] ?? '')).body.scope).toBe('tasks:read');
    expect((await scene.ask(browser, client)).text).toContain('asks for access');
    expect((await scene.ask(browser, client, { scope: 'tasks:read', prompt: 'consent' })).status).toBe(200);
    const other = await scene.signedIn();
    expect((await scene.ask(other.browser, client, { scope: 'tasks:read' })).status).toBe(200);
  });

  it('asks each time for a client that cannot prove who it is', async () => {
    const client = await scene.makeClient({ is_public: true });
    const { browser } = await scene.signedIn();
    const { request } = pkcePair();
    for (const _time of [1, 2]) {
      expect((await scene.ask(browser, client, request)).text).toContain('asks for access');
      await scene.decide(browser, 'allow');
    }
  });

  it('reports to the client when the person refuses, and asks the next time', async () => {
    const client = await scene.makeClient();
    const { browser } = await scene.signedIn();
    await scene.ask(browser, client);
    const response = redirectParamsOf(await scene.decide(browser, 'deny'));
    expect(response).toMatchObject({ error: 'access_denied', state: 's1', iss: baseUrl });
    expect(response).not.toHaveProperty('code');
    expect((await scene.ask(browser, client)).status).toBe(200);
  });

  it('gives no more than the client asked for, may have and the person has', async () => {
    const client = await scene.makeClient({ scopes: ['tasks:read', 'agents:read', 'events:read'] });
    const scopeFor = async (scope: string, own: Parameters<typeof scene.codeFor>[2]) =>
      (await scene.tokensFor(client, { scope }, own)).scope;
    expect(await scopeFor('tasks:read admin', [...scopes])).toBe('tasks:read');
    expect(await scopeFor('openid tasks:read events:read', ['tasks:read', 'admin'])).toBe('tasks:read');
    const { browser } = await scene.signedIn(['tasks:write']);
    const response = redirectParamsOf(await scene.ask(browser, client));
    expect(response).toMatchObject({ error: 'invalid_scope', state: 's1' });
  });

  it('never gives more than the page has shown', async () => {
    const client = await scene.makeClient();
    const { browser } = await scene.signedIn();
    await scene.ask(browser, client, { scope: 'tasks:read' });
    const page = await scene.onward(browser, await browser.submit({ decision: 'allow', scope: 'tasks:read admin' }));
    expect((await scene.exchange(client, redirectParamsOf(page)['code'] ?? '')).body.scope).toBe('tasks:read');
  });

  it('is bound to the browser that began it, and over once it was answered', async () => {
    const client = await scene.makeClient();
    const { browser } = await scene.signedIn();
    await scene.ask(browser, client);
    const other = await scene.signedIn();
    const path = /action="(\/oauth\/interaction\/[^"]+)"/.exec((await scene.ask(browser, client)).text)?.[1] ?? '';
    expect((await other.browser.get(path)).status).toBe(404);
    await scene.ask(browser, client);
    await scene.decide(browser, 'allow');
    const late = await browser.get(path);
    expect([late.status, late.text]).toEqual([404, expect.stringContaining('start again')]);
  });

  it('keeps its cookies from scripts, other paths and plain HTTP', async () => {
    const client = await scene.makeClient();
    const { browser } = await scene.signedIn();
    const query = new URLSearchParams({ response_type: 'code', client_id: client.id, redirect_uri: redirectUri });
    const { headers } = await browser.get(`/oauth/authorize?${query}`, { host: 'evil.example.com' });
    const uid = headers.get('location')?.split('/').at(-1);
    const cookies = headers.getSetCookie();
    expect(cookies).toHaveLength(4);
    for (const cookie of cookies)
      expect(cookie).toMatch(
        new RegExp(`path=/oauth/(interaction|authorize)/${uid};.* samesite=lax; secure; httponly`, 'i'),
      );
    expect(cookies.join()).not.toContain('evil');
  });

  it('does without a secret where there is none, but not without PKCE', async () => {
    const client = await scene.makeClient({ is_public: true });
    const { browser } = await scene.signedIn();
    expect(redirectParamsOf(await scene.ask(browser, client))).toMatchObject({ error: 'invalid_request' });
    const { verifier, request } = pkcePair();
    const code = await scene.codeFor(client, request);
    expect((await scene.exchange(client, code)).body.error).toBe('invalid_grant');
    expect((await scene.exchange(client, code, { code_verifier: verifier })).status).toBe(200);
  });

  it('holds a confidential client to PKCE when it began with it', async () => {
    const client = await scene.makeClient();
    const { verifier, request } = pkcePair();
    const code = await scene.codeFor(client, request);
    const wrong = await scene.exchange(client, code, { code_verifier: pkcePair().verifier });
    expect([wrong.status, wrong.body.error]).toEqual([400, 'invalid_grant']);
    expect((await scene.exchange(client, code, { code_verifier: verifier })).status).toBe(200);
    const plain = { code_challenge: verifier, code_challenge_method: 'plain' };
    const { browser } = await scene.signedIn();
    expect(redirectParamsOf(await scene.ask(browser, client, plain))).toMatchObject({ error: 'invalid_request' });
  });
});
