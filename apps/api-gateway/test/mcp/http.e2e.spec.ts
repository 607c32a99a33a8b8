import { describe, expect, it } from '@jest/globals';
import { expectError } from '../gateway.ts';
import { expectRpcError, useMcp } from './mcp-scene.ts';

const { gateway, connect } = useMcp();

describe('the HTTP endpoint of MCP', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

  it('refuses callers without a credential', async () => {
    expectRpcError(await gateway.post('/mcp', ping, { key: null }), 401, -32_000, 'unauthorized');
    expectRpcError(await gateway.post('/mcp', ping, { key: 'eas_live_wrong' }), 401, -32_000, 'unauthorized');
    expectRpcError(
      await gateway.post('/mcp', ping, { key: await gateway.makeKey(['analytics:read']) }),
      403,
      -32_000,
      'forbidden',
    );
    await expect(connect('', {})).rejects.toThrow(/unauthorized/);
  });

  it('takes a key as a bearer token, as clients with a field for tokens send it', async () => {
    const mcp = await connect('', { authorization: `Bearer ${await gateway.makeKey(['tasks:read'])}` });
    expect((await mcp.call('list_tasks')).isError).toBeFalsy();
    const authorization = `Bearer eas_live_${'0'.repeat(38)}`;
    const wrong = await gateway.post('/mcp', ping, { key: null, headers: { authorization } });
    expectRpcError(wrong, 401, -32_000, 'unauthorized');
  });

  it('responds to each request by itself, with its id and the caller’s limits', async () => {
    const response = await gateway.post('/mcp', ping, { headers: { 'x-request-id': 'my-request-1' } });
    expect([response.status, response.body]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }]);
    expect(response.headers.get('x-request-id')).toBe('my-request-1');
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(Number(response.headers.get('x-ratelimit-remaining'))).toBeGreaterThan(0);
    const call = { ...ping, method: 'tools/call', params: { name: 'get_task', arguments: { task_id: 'tsk_none' } } };
    const failed = await gateway.post('/mcp', call, { headers: { 'x-request-id': 'my-request-2' } });
    expect(failed.body.result.structuredContent).toBeUndefined();
    expect(JSON.parse(failed.body.result.content[0].text).error.request_id).toBe('my-request-2');
    const notification = await gateway.post('/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([notification.status, notification.text]).toEqual([202, '']);
  });

  it('accepts one message of JSON-RPC, in JSON, up to a maximum size', async () => {
    const post = (body: unknown, headers = {}) => gateway.post('/mcp', body, { headers });
    expectRpcError(await post([ping]), 400, -32_602, 'invalid_input', { field: 'body', constraint: 'type' });
    const syntax = { field: 'body', constraint: 'format' };
    expectRpcError(await gateway.send('POST', '/mcp', '{"jsonrpc"'), 400, -32_700, 'invalid_request', syntax);
    const contentType = { field: 'Content-Type', constraint: 'format' };
    expectRpcError(await post(ping, { 'content-type': 'text/plain' }), 415, -32_600, 'invalid_request', contentType);
    const large = { ...ping, params: { text: 'x'.repeat(1_100_000) } };
    const size = { field: 'body', constraint: 'max_size' };
    expectRpcError(await post(large), 413, -32_600, 'invalid_request', size);
    const broken = { ...ping, method: 'tools/call', params: { name: 'get_task', arguments: { task_id: 'a\0b' } } };
    const field = { field: 'params.arguments.task_id', constraint: 'format' };
    expectRpcError(await post(broken), 400, -32_602, 'invalid_input', field);
    const key = { field: 'Idempotency-Key', constraint: 'unknown_field' };
    expectRpcError(await post(ping, { 'idempotency-key': 'k' }), 400, -32_600, 'invalid_request', key);
    for (const refused of [
      await post({ hello: 'world' }),
      await post(ping, { 'mcp-protocol-version': '1999-01-01' }),
      await post(ping, { 'mcp-protocol-version': '2026-07-28' }),
    ]) {
      expect(refused).toMatchObject({ status: 400, body: { jsonrpc: '2.0', error: { message: expect.any(String) } } });
      expect(refused.body.error.code).toBeLessThan(-32_000 + 1);
    }
  });

  it('supports the newest, stateless revision and the older ones', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'curl', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const ask = (method: string, params = {}, named = {}) =>
      gateway.post(
        '/mcp',
        { jsonrpc: '2.0', id: 'a "tools":[] b', method, params: { ...params, _meta: meta } },
        { headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...named } },
      );
    const { body: found } = await ask('server/discover');
    expect(found.result.supportedVersions).toContain('2026-07-28');
    const { body: list } = await ask('tools/list');
    expect(list).toMatchObject({ id: 'a "tools":[] b', result: { tools: expect.arrayContaining([]) } });
    expect(list.result.tools.length).toBeGreaterThan(15);
    const call = { name: 'list_agents', arguments: { limit: 1 } };
    const called = await ask('tools/call', call, { 'mcp-name': 'list_agents' });
    expect(called.body.result).toMatchObject({ structuredContent: { metadata: { limit: 1 } } });
    expect((await ask('tools/call', call, { 'mcp-name': 'list_tasks' })).status).toBe(400);
    expect((await ask('no/method')).status).toBe(404);
    const response = await ask('subscriptions/listen', { notifications: { toolsListChanged: true } });
    expect(response).toMatchObject({ body: { error: { code: expect.any(Number) } } });
    for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
      const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'old', version: '1' } };
      const { body } = await gateway.post('/mcp', { ...ping, method: 'initialize', params });
      expect(body.result.protocolVersion).toBe(version);
    }
  });

  it('has no stream to listen to and no session to end', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await gateway.send(method, '/mcp');
      expectError(response, 405, 'invalid_request');
      expect(response.headers.get('allow')).toBe('POST');
    }
  });

  it('refuses pages of other sites', async () => {
    const evil = { headers: { origin: 'https://evil.example' } };
    expectRpcError(await gateway.post('/mcp', ping, evil), 403, -32_000, 'forbidden');
    expect((await gateway.post('/mcp', ping, { headers: { origin: 'https://api.example.com' } })).status).toBe(200);
  });

  it('counts reading in the window of the API, and an agent’s calls in their own', async () => {
    const key = await gateway.makeKey(['tasks:read', 'admin'], { rateLimit: 2 });
    const client = await connect(key);
    for (let n = 0; n < 2; n += 1) expect((await client.call('list_tasks')).isError).toBe(false);
    const refused = await client.call('list_tasks');
    expect(refused.body.error.code).toBe('rate_limited');
    expectError(await gateway.get('/v1/tasks', { key }), 429, 'rate_limited');
    const { id } = await gateway.make('/v1/agents', { name: 'a', role: 'mcp-limits' });
    expect((await client.call('claim_task', { agent_id: id })).text).toBe('No task is available.');
    let isCut = false;
    for (let n = 0; n < 25 && !isCut; n += 1) isCut = (await gateway.post('/mcp', ping, { key })).status === 429;
    expect(isCut).toBe(true);
  });
});
