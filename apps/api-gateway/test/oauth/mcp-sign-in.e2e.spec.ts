import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from '@jest/globals';
import { sweepOauthRecords } from '@eas/access';
import { expectRpcError } from '../mcp/mcp-scene.ts';
import { baseUrl, type Json, useGateway } from '../gateway.ts';
import { oauthScene } from './oauth-scene.ts';

const gateway = useGateway();
const scene = oauthScene(gateway);
const callback = 'http://127.0.0.1:8123/callback';
const own = ['tasks:read', 'tasks:write', 'agents:read'] as const;

/** The service is where its base address says. */
const fetchThere = (url: string | URL, init?: RequestInit) =>
  fetch(String(url).replace(baseUrl, gateway.address()), init);

/** What a program keeps of its sign-in; `opened` is where it sends its person. */
function keeper() {
  const kept: Record<string, Json> = {};
  const provider = {
    redirectUrl: callback,
    clientMetadata: { client_name: 'A foreign client', redirect_uris: [callback] },
    clientInformation: () => kept['client'],
    saveClientInformation: (client: Json) => void (kept['client'] = client),
    tokens: () => kept['tokens'],
    saveTokens: (tokens: Json) => void (kept['tokens'] = tokens),
    redirectToAuthorization: (url: URL) => void (kept['opened'] = url),
    saveCodeVerifier: (verifier: string) => void (kept['verifier'] = verifier),
    codeVerifier: () => kept['verifier'],
  } as unknown as OAuthClientProvider;
  return { kept, provider };
}

type Connected = { listTools(): Promise<{ tools: { name: string }[] }>; close(): Promise<void> };
type Kind = {
  open(provider: OAuthClientProvider): { connect(): Promise<Connected>; finish(code: string): Promise<void> };
};

const kinds: Record<string, Kind> = {
  'of the revisions before': {
    open(authProvider) {
      const transport = () =>
        new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { authProvider, fetch: fetchThere });
      return {
        async connect() {
          const client = new Client({ name: 'foreign', version: '1' });
          await client.connect(transport());
          return client;
        },
        finish: (code) => transport().finishAuth(code),
      };
    },
  },
  'of the newest revision': {
    open(authProvider) {
      const options = { authProvider: authProvider as never, fetch: fetchThere };
      const transport = () => new NewTransport(new URL(`${baseUrl}/mcp`), options);
      return {
        async connect() {
          const client = new NewClient({ name: 'foreign', version: '1' });
          await client.connect(transport());
          return client;
        },
        finish: (code) => transport().finishAuth(new URLSearchParams({ code, iss: baseUrl })),
      };
    },
  },
};

/** A browser comes from the program, allows it what it asks for, and brings the code back to it. */
async function allow(opened: URL, tenantId?: string) {
  const { browser } = await scene.signedIn(own, tenantId);
  const asked = await scene.onward(browser, await browser.get(`${opened.pathname}${opened.search}`));
  const answered = await scene.decide(browser, 'allow');
  return { asked, location: new URL(answered.headers.get('location') ?? 'none:') };
}

describe.each(Object.entries(kinds))('a client of the Model Context Protocol, %s', (_, { open }) => {
  it('that knows the URL alone registers itself, signs a person in and calls tools', async () => {
    const { kept, provider } = keeper();
    const program = open(provider);
    await expect(program.connect()).rejects.toThrow();
    const { asked, location } = await allow(kept['opened']);
    expect(asked.text).toMatch(/A foreign client[^]*registered itself[^]*127\.0\.0\.1:8123/);
    expect(location.href).toContain(callback);
    await program.finish(location.searchParams.get('code') ?? '');
    expect(kept['tokens']).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) });
    const client = await program.connect();
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('create_task');
    await client.close();
  });
});

describe('a program that registers itself', () => {
  const register = (body: object) => gateway.post('/oauth/register', body, { key: null });
  const plain = { redirect_uris: [callback], client_name: 'Plain' };
  const linkOf = (id: string) =>
    new URL(
      `${baseUrl}/oauth/authorize?${new URLSearchParams({ client_id: id, response_type: 'code', redirect_uri: callback, code_challenge: 'x'.repeat(43), code_challenge_method: 'S256', state: 's' })}`,
    );

  it('gets an id without a secret, and leaves out what it does not say', async () => {
    const { status, headers, body } = await register({ ...plain, scope: 'tasks:read', software_id: 'x' });
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(body).toEqual({
      client_id: expect.stringMatching(/^cli_/),
      client_id_issued_at: expect.any(Number),
      client_name: 'Plain',
      redirect_uris: [callback],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    });
    expect((await register({ redirect_uris: ['https://app.example/cb'] })).body.client_name).toBe('An application');
  });

  it.each([
    [{}, 'invalid_redirect_uri'],
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: 'x' }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['http://evil.example/cb'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: Array(21).fill(callback) }, 'invalid_redirect_uri'],
    [{ ...plain, client_name: 'x'.repeat(101) }, 'invalid_client_metadata'],
    [{ ...plain, client_name: 7 }, 'invalid_client_metadata'],
  ])('with %j is refused as %s, and nothing is kept', async (body, error) => {
    const before = await gateway.rows();
    expect(await register(body)).toMatchObject({ status: 400, body: { error, error_description: expect.any(String) } });
    expect(await gateway.rows()).toEqual(before);
  });

  it('belongs to the tenant of the first person who comes for it', async () => {
    const [first, second] = [await gateway.test.createTenant(), await gateway.test.createTenant()];
    const { client_id: id } = (await register(plain)).body;
    const { location } = await allow(linkOf(id), first);
    expect(location.searchParams.get('code')).toBeTruthy();
    const { browser } = await scene.signedIn(own, second);
    const link = linkOf(id);
    const refused = await scene.onward(browser, await browser.get(link.pathname + link.search));
    expect(refused.headers.get('location')).toContain('access_denied');
    const sql = 'SELECT tenant_id, registered_at, scopes FROM oauth_clients WHERE id = $1';
    const [row] = await gateway.test.database.db.query<{ tenant_id: string; scopes: string[] }>(sql, [id]);
    expect(row).toMatchObject({ tenant_id: first, registered_at: expect.any(Date) });
    expect(row?.scopes).not.toContain('admin');
  });

  it('is deleted after a day in which no person signed in for it', async () => {
    const { client_id: id } = (await register(plain)).body;
    await gateway.test.shiftClock(24 * 3_600 + 1);
    const { browser } = await scene.signedIn(own);
    const link = linkOf(id);
    const page = await scene.onward(browser, await browser.get(link.pathname + link.search));
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('invalid_client')]);
    await gateway.test.shiftClock(0);
  });

  it('is deleted a day after a person signed in without a grant, and kept while it has a grant', async () => {
    const { db } = gateway.test.database;
    const [unused, used] = [(await register(plain)).body.client_id, (await register(plain)).body.client_id];
    const { browser } = await scene.signedIn(own);
    const link = linkOf(unused);
    await scene.onward(browser, await browser.get(link.pathname + link.search));
    const { location } = await allow(linkOf(used));
    expect(location.searchParams.get('code')).toBeTruthy();
    await gateway.test.shiftClock(24 * 3_600 + 60);
    await sweepOauthRecords(db);
    const sql = 'SELECT id FROM oauth_clients WHERE id = ANY ($1)';
    expect(await db.query(sql, [[unused, used]])).toEqual([{ id: used }]);
    await gateway.test.shiftClock(0);
  });

  it('may do so ten times a minute from an address', async () => {
    let refused = await register(plain);
    for (let n = 0; n < 30 && refused.status === 201; n += 1) refused = await register(plain);
    expect([refused.status, refused.body.error]).toEqual([429, 'temporarily_unavailable']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('the resource', () => {
  it('names its authorization server at both addresses, and each refusal links to them', async () => {
    for (const path of ['', '/mcp']) {
      const { body } = await gateway.get(`/.well-known/oauth-protected-resource${path}`, { key: null });
      expect(body).toMatchObject({ resource: baseUrl + path, authorization_servers: [baseUrl] });
    }
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const bare = await gateway.post('/mcp', ping, { key: null });
    expectRpcError(bare, 401, -32_000, 'unauthorized');
    const metadata = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`;
    expect(bare.headers.get('www-authenticate')).toBe(`Bearer realm="api", ${metadata}, ApiKey realm="api"`);
    const wrong = await gateway.post('/mcp', ping, { key: null, headers: { authorization: 'Bearer wrong' } });
    expect(wrong.headers.get('www-authenticate')).toContain(`Bearer realm="api", error="invalid_token", ${metadata}`);
  });
});
