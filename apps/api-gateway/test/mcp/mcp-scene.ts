import { afterEach, expect } from '@jest/globals';
import { type ApiResponse, type Json, useGateway } from '../gateway.ts';
import { connectMcp, type McpClient, type ToolResult } from './mcp-client.ts';

let scenes = 0;

/** A gateway, and clients of its tools that end with the test. */
export function useMcp() {
  const gateway = useGateway();
  const clients: McpClient[] = [];
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
  });

  async function connect(key: string, headers: Record<string, string> = { 'x-api-key': key }): Promise<McpClient> {
    const client = await connectMcp(gateway, headers);
    clients.push(client);
    return client;
  }

  /** An agent with a unique role, connected with its own key. */
  async function scene() {
    scenes += 1;
    const role = `mcp-${scenes}`;
    const { id } = await gateway.make('/v1/agents', { name: role, role });
    const key = await gateway.makeKey(['agent:self'], { agentId: id });
    const mcp = await connect(key);
    const addTask = (more: object = {}) =>
      gateway.make('/v1/tasks', { title: 'Work', description: 'Do it.', assigned_role: role, ...more });
    /** Claims the task and gives what further calls carry. */
    const claim = async () => {
      const { body } = await mcp.call('claim_task');
      return { lease_id: body.lease.lease_id, fencing_token: body.lease.fencing_token };
    };
    const read = async (taskId: string): Promise<Json> => (await gateway.get(`/v1/tasks/${taskId}`)).body;
    return { id, role, key, mcp, addTask, claim, read };
  }
  return { gateway, connect, scene };
}

export function expectRefusal(response: ToolResult, code: string, details: object): void {
  expect(response).toMatchObject({ isError: true, body: { error: { code, details } } });
  expect(JSON.parse(response.text)).toEqual(response.body);
  expect(response.body.error.request_id).toMatch(/^req_/);
}

/** An error of JSON-RPC whose data is the error of REST. */
export function expectRpcError(result: ApiResponse, status: number, rpc: number, code: string, details = {}): void {
  expect(result.body).toEqual({
    jsonrpc: '2.0',
    id: null,
    error: { code: rpc, message: expect.any(String), data: expect.any(Object) },
  });
  const { data, message } = result.body.error;
  expect([result.status, data]).toMatchObject([status, { code, message, details }]);
  expect(data.request_id).toBe(result.headers.get('x-request-id'));
}
