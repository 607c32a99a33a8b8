import { setTimeout } from 'node:timers/promises';
import { changeUser, deleteUser, makePasswordLink } from '@eas/access';
import { type Scope, scopes } from '@eas/contracts';
import { eventually } from '@eas/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { baseUrl, useGateway } from '../gateway.ts';
import { redirectParamsOf, oauthScene, redirectUri } from './oauth-scene.ts';

const gateway = useGateway();
const scene = oauthScene(gateway);

const becomes = (token: string, status: number) => eventually(async () => (await scene.callWith(token)) === status);

describe('a code', () => {
  it('works once; a second use revokes the tokens of the first one', async () => {
    const client = await scene.makeClient();
    const code = await scene.codeFor(client);
    const { body } = await scene.exchange(client, code);
    expect(await scene.callWith(body.access_token)).toBe(200);
    const again = await scene.exchange(client, code);
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
    await becomes(body.access_token, 401);
    expect((await scene.refresh(client, body.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('gives tokens to one of two callers at the same time, and to none later', async () => {
    const client = await scene.makeClient();
    const code = await scene.codeFor(client);
    const responses = await Promise.all([1, 2, 3, 4].map(() => scene.exchange(client, code)));
    const given = responses.filter(({ status }) => status === 200);
    expect(given.length).toBeLessThanOrEqual(1);
    for (const { body } of responses.filter(({ status }) => status !== 200)) expect(body.error).toBe('invalid_grant');
    for (const { body } of given) await becomes(body.access_token, 401);
  });
});

/** As if every token had been used so much earlier. */
const passTime = (seconds: number) =>
  gateway.test.database.db.query(`UPDATE oauth_records SET consumed_at = consumed_at - $1 * interval '1 second'`, [
    seconds,
  ]);

describe('a refresh token', () => {
  it('gives new tokens and is replaced by another', async () => {
    const client = await scene.makeClient();
    const first = await scene.tokensFor(client);
    const { status, body } = await scene.refresh(client, first.refresh_token);
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope: first.scope });
    expect([first.access_token, first.refresh_token]).not.toContain(body.access_token);
    expect(body.refresh_token).not.toBe(first.refresh_token);
    expect(await scene.callWith(body.access_token)).toBe(200);
  });

  it('may ask for less, and not for more', async () => {
    const client = await scene.makeClient();
    const { refresh_token: token } = await scene.tokensFor(client);
    const more = await scene.refresh(client, token, { scope: 'tasks:read tasks:write' });
    expect([more.status, more.body.error]).toEqual([400, 'invalid_scope']);
    const less = await scene.refresh(client, token, { scope: 'agents:read' });
    expect(less.body.scope).toBe('agents:read');
    expect(await scene.callWith(less.body.access_token)).toBe(403);
  });

  it.each([
    ['at once', 0],
    ['after 13 ms', 13],
    ['after 100 ms', 100],
    ['after 5 s', 5_000],
    ['after 45 s', 45_000],
  ])('gives the same successor to a client that asks again %s', async (_, ms) => {
    const client = await scene.makeClient();
    const { refresh_token: token } = await scene.tokensFor(client);
    const first = scene.refresh(client, token);
    if (ms > 0) await first;
    if (ms > 1_000) await passTime(ms / 1_000);
    else await setTimeout(ms);
    const answers = await Promise.all([first, scene.refresh(client, token), scene.refresh(client, token)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const successors = new Set(answers.map(({ body }) => body.refresh_token));
    expect(successors.size).toBe(1);
    const [successor] = successors;
    expect(successor).not.toBe(token);
    for (const { body } of answers) expect(await scene.callWith(body.access_token)).toBe(200);
    expect((await scene.refresh(client, successor)).status).toBe(200);
  });

  it('revokes all of its grant when it is used again after a minute, and no other grant', async () => {
    const client = await scene.makeClient();
    const other = await scene.tokensFor(client);
    const first = await scene.tokensFor(client);
    const { body: second } = await scene.refresh(client, first.refresh_token);
    await passTime(61);
    const again = await scene.refresh(client, first.refresh_token);
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
    for (const token of [first.access_token, second.access_token]) await becomes(token, 401);
    expect((await scene.refresh(client, second.refresh_token)).body.error).toBe('invalid_grant');
    expect(await scene.callWith(other.access_token)).toBe(200);
  });

  it('is refused for another client', async () => {
    const client = await scene.makeClient();
    const { refresh_token: token } = await scene.tokensFor(client);
    expect((await scene.refresh(await scene.makeClient(), token)).body.error).toBe('invalid_grant');
    expect((await scene.refresh(client, token)).status).toBe(200);
  });
});

describe('revocation', () => {
  it('of an access token ends that token alone', async () => {
    const client = await scene.makeClient();
    const tokens = await scene.tokensFor(client);
    expect(await scene.callWith(tokens.access_token)).toBe(200);
    const { status, body } = await scene.revoke(client, tokens.access_token);
    expect([status, body]).toEqual([200, undefined]);
    await becomes(tokens.access_token, 401);
    expect((await scene.refresh(client, tokens.refresh_token)).status).toBe(200);
  });

  it('of a refresh token ends all that was allowed with it', async () => {
    const client = await scene.makeClient();
    const tokens = await scene.tokensFor(client);
    expect((await scene.revoke(client, tokens.refresh_token)).status).toBe(200);
    await becomes(tokens.access_token, 401);
    expect((await scene.refresh(client, tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('says 200 for a token that is unknown or another client’s, and leaves it', async () => {
    const client = await scene.makeClient();
    const tokens = await scene.tokensFor(client);
    const other = await scene.makeClient();
    expect((await scene.revoke(other, tokens.refresh_token)).status).toBe(200);
    expect((await scene.revoke(other, 'unknown')).status).toBe(200);
    expect(await scene.callWith(tokens.access_token)).toBe(200);
    expect((await scene.revoke({ ...client, secret: 'wrong' }, tokens.access_token)).status).toBe(401);
  });
});

describe('introspection', () => {
  it('describes its own tokens to a client', async () => {
    const client = await scene.makeClient();
    const beganSeconds = Date.now() / 1_000;
    const tokens = await scene.tokensFor(client, { scope: 'tasks:read' });
    const madeSeconds = Date.now() / 1_000;
    const description = await scene.introspect(client, tokens.access_token);
    expect(description).toMatchObject({
      active: true,
      client_id: client.id,
      scope: 'tasks:read',
      sub: expect.stringMatching(/^usr_/),
      iss: baseUrl,
      token_type: 'Bearer',
    });
    expect(description.exp - 3_600).toBeGreaterThan(beganSeconds - 10);
    expect(description.exp - 3_600).toBeLessThan(madeSeconds + 10);
    expect(await scene.introspect(client, tokens.refresh_token)).toMatchObject({ active: true, scope: 'tasks:read' });
  });

  it('reveals nothing about others, unknown ones and revoked ones', async () => {
    const client = await scene.makeClient();
    const tokens = await scene.tokensFor(client);
    const inactive = { active: false };
    expect(await scene.introspect(await scene.makeClient(), tokens.access_token)).toEqual(inactive);
    expect(await scene.introspect(client, 'unknown')).toEqual(inactive);
    await scene.revoke(client, tokens.refresh_token);
    expect(await scene.introspect(client, tokens.access_token)).toEqual(inactive);
    expect((await scene.post('/oauth/introspect', { token: 'x' })).status).toBe(400);
  });
});

describe('what was granted', () => {
  /** Tokens, and the person who allowed them. */
  async function granted(own: readonly Scope[] = ['tasks:read', 'agents:read']) {
    const client = await scene.makeClient();
    const { browser, user } = await scene.signedIn(own);
    await scene.ask(browser, client);
    const { code = '' } = redirectParamsOf(await scene.decide(browser, 'allow'));
    const { body: tokens } = await scene.exchange(client, code);
    expect(await scene.callWith(tokens.access_token)).toBe(200);
    return { client, tokens, user };
  }

  it('shrinks with what the person may do', async () => {
    const { client, tokens, user } = await granted();
    await changeUser(gateway.test.context(), {
      id: user.id,
      ifMatch: undefined,
      body: { scopes: ['agents:read'] },
      scopes,
    });
    await becomes(tokens.access_token, 403);
    expect((await scene.refresh(client, tokens.refresh_token)).body.scope).toBe('agents:read');
  });

  it('ends when the person gets another password: someone with the old one could have allowed it', async () => {
    const context = gateway.test.context();
    const change = { id: '', ifMatch: undefined, body: { password: 'a few other words' }, scopes };
    const changed = await granted();
    await changeUser(context, { ...change, id: changed.user.id });
    const invited = await granted();
    const token = await makePasswordLink(context, { id: invited.user.id, scopes });
    const form = new URLSearchParams({ token, password: 'a few other words' });
    const init = { method: 'POST', body: form, redirect: 'manual' } as const;
    expect((await fetch(`${gateway.address()}/admin/welcome`, init)).status).toBe(303);
    for (const { client, tokens } of [changed, invited]) {
      await becomes(tokens.access_token, 401);
      expect((await scene.refresh(client, tokens.refresh_token)).body.error).toBe('invalid_grant');
    }
  });

  it('ends with the person', async () => {
    const { client, tokens, user } = await granted();
    await deleteUser(gateway.test.context(), { id: user.id, ifMatch: undefined, scopes });
    await becomes(tokens.access_token, 401);
    expect((await scene.refresh(client, tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('shrinks with the client, and ends with it', async () => {
    const { client, tokens } = await granted();
    const path = `/admin/api/clients/${client.id}`;
    await gateway.send('PATCH', path, JSON.stringify({ scopes: ['agents:read'] }));
    await becomes(tokens.access_token, 403);
    expect((await gateway.send('DELETE', path)).status).toBe(204);
    await becomes(tokens.access_token, 401);
    expect((await scene.refresh(client, tokens.refresh_token)).body.error).toBe('invalid_client');
  });

  it('counts against the limit of the client for each person', async () => {
    const client = await scene.makeClient({ rate_limit: 2 });
    const tokens = await scene.tokensFor(client);
    const statuses = [];
    for (let call = 0; call < 3; call += 1) statuses.push(await scene.callWith(tokens.access_token));
    expect(statuses).toEqual([200, 200, 429]);
    expect(await scene.callWith((await scene.tokensFor(client)).access_token)).toBe(200);
  });
});

describe('the database', () => {
  it('holds no code, token or secret', async () => {
    const client = await scene.makeClient();
    const code = await scene.codeFor(client);
    const { body } = await scene.exchange(client, code);
    for (const value of [code, body.access_token, body.refresh_token, client.secret]) {
      for (const table of ['oauth_records', 'oauth_clients', 'audit_log']) {
        const rows = await gateway.test.database.db.query(
          `SELECT 1 FROM ${table} t WHERE to_jsonb(t)::text LIKE '%' || $1 || '%'`,
          [value],
        );
        expect(rows).toEqual([]);
      }
    }
  });
});

describe('the metadata of the server', () => {
  it('names what is there under the base address, whatever host is asked', async () => {
    const response = await fetch(`${gateway.address()}/.well-known/oauth-authorization-server`, {
      headers: { 'x-forwarded-host': 'evil.example.com' },
    });
    const document = (await response.json()) as Record<string, unknown>;
    expect(response.status).toBe(200);
    expect(document).toMatchObject({
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/oauth/authorize`,
      token_endpoint: `${baseUrl}/oauth/token`,
      revocation_endpoint: `${baseUrl}/oauth/revoke`,
      introspection_endpoint: `${baseUrl}/oauth/introspect`,
      scopes_supported: scopes,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
    expect(Object.keys(document).join()).not.toMatch(/jwks|userinfo|end_session|id_token|device/);
  });
});

describe('time', () => {
  afterAll(() => gateway.test.shiftClock(0));

  it('ends codes after 60 s, access tokens after an hour and refresh tokens after 30 days', async () => {
    const client = await scene.makeClient();
    const code = await scene.codeFor(client);
    const tokens = await scene.tokensFor(client);
    await gateway.test.shiftClock(61);
    expect((await scene.exchange(client, code, { redirect_uri: redirectUri })).body.error).toBe('invalid_grant');
    expect(await scene.callWith(tokens.access_token)).toBe(200);
    await gateway.test.shiftClock(3_601);
    await becomes(tokens.access_token, 401);
    expect(await scene.introspect(client, tokens.access_token)).toEqual({ active: false });
    await gateway.test.shiftClock(29 * 86_400);
    const { body: renewed } = await scene.refresh(client, tokens.refresh_token);
    await gateway.test.shiftClock(58 * 86_400);
    const { body: kept } = await scene.refresh(client, renewed.refresh_token);
    expect(kept).toHaveProperty('access_token');
    await gateway.test.shiftClock(89 * 86_400);
    expect((await scene.refresh(client, kept.refresh_token)).body.error).toBe('invalid_grant');
  });
});
