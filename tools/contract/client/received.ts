// Part of rest.test.ts: what other systems and programs send, as the document describes it.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { api, clientWith, done, isProxied, ok, path, refused } from './api.ts';

const { BOOTSTRAP_OAUTH_CLIENT: clientText = '{}' } = process.env;
const client = JSON.parse(clientText) as { client_id: string; client_secret: string; redirect_uris: [string] };
const proof = { client_id: client.client_id, client_secret: client.client_secret };

/** They have no key of the API. */
const anybody = clientWith({});
const asForm = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } } as const;

const otherDigest = '0'.repeat(64);
const hmac = (secret: string, body: object): string =>
  createHmac('sha256', secret).update(JSON.stringify(body)).digest('hex');

export const testReceived = (run: string) =>
  describe('what is received', () => {
    const secret = `a secret of ${run} for senders`;
    const connect = async (body: { type: 'taskplatform' } | { type: 'github'; org_name: string }) =>
      path('integration_id', (await ok(api.POST('/v1/integrations', { body: { ...body, secret } }), 201)).id);

    it('is an event of the task platform, signed with the secret of its integration', async () => {
      const body = { event: 'listUpdated', list_id: run, data: { name: 'Board' } };
      assert.deepEqual(await ok(anybody.POST('/webhook/taskplatform', { body })), { ok: true });
      const { params } = await connect({ type: 'taskplatform' });
      const address = '/webhook/taskplatform/{integration_id}';
      const signed = (digest: string) => ({ params: { ...params, header: { 'X-Signature': digest } }, body });
      await ok(anybody.POST(address, signed(hmac(secret, body))));
      assert.equal((await refused(anybody.POST(address, signed(otherDigest)), 403)).error.code, 'forbidden');
      await done(api.DELETE('/v1/integrations/{integration_id}', { params }));
    });

    it('is an event of the source host', async () => {
      const { params } = await connect({ type: 'github', org_name: `org-${run}` });
      const body = { zen: 'Keep it simple.', organization: { login: `org-${run}` } };
      const header = { 'X-GitHub-Event': 'ping', 'X-Hub-Signature-256': `sha256=${hmac(secret, body)}` };
      assert.deepEqual(await ok(anybody.POST('/webhook/sourcehost', { params: { header }, body })), { ok: true });
      const address = '/webhook/sourcehost/{integration_id}';
      await ok(anybody.POST(address, { params: { ...params, header }, body }));
      await done(api.DELETE('/v1/integrations/{integration_id}', { params }));
    });

    it('is a request of a chat, which is refused without a secret that verifies', async () => {
      const header = {
        'X-Slack-Signature': `v0=${otherDigest}`,
        'X-Slack-Request-Timestamp': String(Math.floor(Date.now() / 1_000)),
      };
      const form = { body: { payload: JSON.stringify({ type: 'block_actions' }) }, ...asForm };
      await refused(anybody.POST('/webhook/chat', { params: { header }, ...form }), 403);
      const one = { ...path('integration_id', 'int_none').params, header };
      await refused(anybody.POST('/webhook/chat/{integration_id}', { params: one, ...form }), 403);
    });
  });

export const testOauth = () =>
  describe('the authorization server', () => {
    it('is found', async () => {
      const server = await ok(anybody.GET('/.well-known/oauth-authorization-server'));
      assert.match(String(server['token_endpoint']), /\/oauth\/token$/);
      await ok(anybody.GET('/.well-known/oauth-protected-resource'));
    });

    const forBrowsers = { skip: isProxied && 'the proxy knows no operation without a 2xx' };
    it('shows a browser where to sign in', forBrowsers, async () => {
      const query = {
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: client.redirect_uris[0],
      } as const;
      const { response } = await anybody.GET('/oauth/authorize', { params: { query }, redirect: 'manual' });
      assert.equal(response.status, 303);
    });

    it('refuses a code and a refresh token that are none, and knows no such token', async () => {
      const body = {
        grant_type: 'authorization_code',
        code: 'none',
        redirect_uri: client.redirect_uris[0],
        ...proof,
      } as const;
      assert.equal((await refused(anybody.POST('/oauth/token', { body, ...asForm }), 400)).error, 'invalid_grant');
      const wrong = { grant_type: 'refresh_token', refresh_token: 'none', ...proof, client_secret: 'wrong' } as const;
      assert.equal(
        (await refused(anybody.POST('/oauth/token', { body: wrong, ...asForm }), 401)).error,
        'invalid_client',
      );
      const token = { body: { token: 'none', ...proof }, ...asForm };
      assert.equal((await ok(anybody.POST('/oauth/introspect', token))).active, false);
      await done(anybody.POST('/oauth/revoke', token), 200);
    });

    it('registers a program', async () => {
      const body = { client_name: 'A program', redirect_uris: ['http://127.0.0.1:9000/callback'] };
      const made = await ok(anybody.POST('/oauth/register', { body }), 201);
      assert.equal(made.token_endpoint_auth_method, 'none');
      const none = { body: { redirect_uris: ['javascript:alert(1)'] } };
      assert.equal((await refused(anybody.POST('/oauth/register', none), 400)).error, 'invalid_redirect_uri');
    });
  });
