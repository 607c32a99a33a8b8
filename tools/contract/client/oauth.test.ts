// The authorization server as a strict OAuth client sees it; a person signs in and consents in Chromium.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as oauth from 'oauth4webapi';
import type { Browser } from 'playwright-core';
import { openChromium, openPage, photographed, signIn } from './chromium.ts';
import { type ClientSite, openClientSite } from './client-site.ts';

const { CONTRACT_BASE_URL: baseUrl = '', BOOTSTRAP_OAUTH_CLIENT: clientText = '{}' } = process.env;
const { client_id, client_secret, redirect_uris } = JSON.parse(clientText) as {
  client_id: string;
  client_secret: string;
  redirect_uris: [string];
};
const redirectUri = redirect_uris[0];
/** The system under test speaks plain HTTP on loopback. */
const insecure = { [oauth.allowInsecureRequests]: true };
const client: oauth.Client = { client_id };

let server: oauth.AuthorizationServer;
let browser: Browser;
let site: ClientSite;
before(async () => {
  const issuer = new URL(baseUrl);
  const result = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
  server = await oauth.processDiscoveryResponse(issuer, result);
  [browser, site] = [await openChromium(), await openClientSite(redirectUri)];
});
after(async () => {
  site?.close();
  await browser?.close();
});

/** Signs in, allows, and gives the tokens for the code that comes back. */
async function grant(authenticate: oauth.ClientAuth, scope: string): Promise<oauth.TokenEndpointResponse> {
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  const url = new URL(server.authorization_endpoint ?? '');
  const code_challenge = await oauth.calculatePKCECodeChallenge(verifier);
  const request = { client_id, redirect_uri: redirectUri, response_type: 'code', scope, state };
  url.search = String(new URLSearchParams({ ...request, code_challenge, code_challenge_method: 'S256' }));
  const watched = await openPage(browser, baseUrl);
  const visit = site.nextVisit();
  await photographed('consent', watched, async () => {
    await watched.page.goto(String(url));
    await signIn(watched.page);
    await watched.page.getByRole('button', { name: 'Allow' }).click();
    await watched.page.getByText('Welcome back').waitFor();
  });
  assert.deepEqual(watched.complaints, []);
  await watched.close();
  const back = oauth.validateAuthResponse(server, client, await visit, state);
  const result = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authenticate,
    back,
    redirectUri,
    verifier,
    insecure,
  );
  return oauth.processAuthorizationCodeResponse(server, client, result);
}

async function refresh(authenticate: oauth.ClientAuth, token: string): Promise<oauth.TokenEndpointResponse> {
  const result = await oauth.refreshTokenGrantRequest(server, client, authenticate, token, insecure);
  return oauth.processRefreshTokenResponse(server, client, result);
}

async function introspect(authenticate: oauth.ClientAuth, token: string): Promise<oauth.IntrospectionResponse> {
  const result = await oauth.introspectionRequest(server, client, authenticate, token, insecure);
  return oauth.processIntrospectionResponse(server, client, result);
}

async function statusOf(token: string, path = '/v1/tasks'): Promise<number> {
  const response = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response.status;
}

/** A credential may be remembered for two seconds. */
async function isRefusedSoon(token: string): Promise<void> {
  for (
    const deadline = Date.now() + 4_000;
    (await statusOf(token)) !== 401;
    await new Promise((n) => setTimeout(n, 100))
  )
    if (Date.now() > deadline) throw new Error('still accepted after 4 s');
}

const ways: [string, oauth.ClientAuth][] = [
  ['client_secret_post', oauth.ClientSecretPost(client_secret)],
  ['client_secret_basic', oauth.ClientSecretBasic(client_secret)],
];

for (const [name, authenticate] of ways)
  describe(`the authorization code flow with ${name}`, () => {
    it('gives tokens that open what was allowed, rotate, and can be inspected and revoked', async () => {
      const first = await grant(authenticate, 'tasks:read');
      assert.deepEqual([first.token_type, first.expires_in, first.scope], ['bearer', 3_600, 'tasks:read']);
      assert.equal(await statusOf(first.access_token), 200);
      assert.equal(await statusOf(first.access_token, '/v1/agents'), 403);
      const about = await introspect(authenticate, first.access_token);
      assert.deepEqual([about.active, about.scope, about.client_id], [true, 'tasks:read', client_id]);
      const second = await refresh(authenticate, first.refresh_token ?? '');
      assert.notEqual(second.refresh_token, first.refresh_token);
      assert.equal(await statusOf(second.access_token), 200);
      const result = await oauth.revocationRequest(server, client, authenticate, second.refresh_token ?? '', insecure);
      await oauth.processRevocationResponse(result);
      await isRefusedSoon(second.access_token);
      assert.equal((await introspect(authenticate, second.access_token)).active, false);
    });

    it('gives a refresh that is repeated the same successor, and a revocation ends what both gave', async () => {
      const first = await grant(authenticate, 'tasks:read');
      const second = await refresh(authenticate, first.refresh_token ?? '');
      const repeated = await refresh(authenticate, first.refresh_token ?? '');
      assert.equal(repeated.refresh_token, second.refresh_token);
      for (const { access_token } of [second, repeated]) assert.equal(await statusOf(access_token), 200);
      const result = await oauth.revocationRequest(server, client, authenticate, second.refresh_token ?? '', insecure);
      await oauth.processRevocationResponse(result);
      for (const { refresh_token = '' } of [first, second])
        await assert.rejects(refresh(authenticate, refresh_token), { error: 'invalid_grant' });
      for (const { access_token } of [second, repeated]) await isRefusedSoon(access_token);
    });
  });
