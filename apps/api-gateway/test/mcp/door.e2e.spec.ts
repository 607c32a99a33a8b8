import { describe, expect, it } from '@jest/globals';
import { expectError } from '../gateway.ts';
import { useMcp } from './mcp-scene.ts';

const { gateway, connect } = useMcp();

describe('the door', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

  it('lets nobody in without a credential', async () => {
    expectError(await gateway.post('/mcp', ping, { key: null }), 401, 'unauthorized');
    expectError(await gateway.post('/mcp', ping, { key: 'eas_live_wrong' }), 401, 'unauthorized');
    expectError(await gateway.post('/mcp', ping, { key: await gateway.makeKey(['analytics:read']) }), 403, 'forbidden');
    await expect(connect('', {})).rejects.toThrow(/unauthorized/);
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

  it('takes one message of JSON-RPC, in JSON, of a size that it can bear', async () => {
    expectError(await gateway.post('/mcp', [ping]), 400, 'invalid_input', { field: 'body', constraint: 'type' });
    expectError(await gateway.send('POST', '/mcp', '{"jsonrpc"'), 400, 'invalid_request', {
      field: 'body',
      constraint: 'format',
    });
    expectError(await gateway.post('/mcp', { hello: 'world' }), 400, 'invalid_request');
    expectError(
      await gateway.post('/mcp', ping, { headers: { 'content-type': 'text/plain' } }),
      415,
      'invalid_request',
      {
        field: 'Content-Type',
        constraint: 'format',
      },
    );
    const large = { ...ping, params: { text: 'x'.repeat(1_100_000) } };
    expectError(await gateway.post('/mcp', large), 413, 'invalid_request', { field: 'body', constraint: 'max_size' });
    const broken = { ...ping, method: 'tools/call', params: { name: 'get_task', arguments: { task_id: 'a\0b' } } };
    expectError(await gateway.post('/mcp', broken), 400, 'invalid_input', {
      field: 'params.arguments.task_id',
      constraint: 'format',
    });
    expectError(
      await gateway.post('/mcp', ping, { headers: { 'mcp-protocol-version': '1999-01-01' } }),
      400,
      'invalid_request',
    );
  });

  it('has no stream to listen to and no session to end', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await gateway.send(method, '/mcp');
      expectError(response, 405, 'invalid_request');
      expect(response.headers.get('allow')).toBe('POST');
    }
  });

  it('refuses pages of other sites', async () => {
    expectError(await gateway.post('/mcp', ping, { headers: { origin: 'https://evil.example' } }), 403, 'forbidden');
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
