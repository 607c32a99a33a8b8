import { AppError } from '@eas/core';
import { type RouteResponse, defineRoute, type DoorDeps, mayCall, type Route } from '@eas/http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { z } from 'zod';
import { bindTools } from './bind-tools.ts';
import { callTool, type McpCall, type ToolParts } from './call-tool.ts';
import { type OwnAddress, requireOwnAddress } from './own-address.ts';
import { instructionsFor } from './tool-catalogue.ts';

export type McpParts = OwnAddress & {
  routes: readonly Route[];
  limit: DoorDeps['limit'];
};

const path = '/mcp';
/** Making one costs more than a call. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** Streamable HTTP without sessions, so any gateway may respond. The door checks caller, rate and size of the body. */
export function mcpRoute({ routes, limit, ...address }: McpParts): Route {
  const tools = bindTools(routes);
  const scopes = [...new Set([...tools.values()].flatMap(({ route }) => route.scopes))];
  return defineRoute({
    method: 'POST',
    path,
    summary: 'Model Context Protocol',
    tags: ['MCP'],
    access: { scope: scopes },
    // The protocol speaks JSON-RPC: one message a request.
    body: z.record(z.string().max(100), z.unknown()),
    responses: {
      200: { description: 'The response to the message.', schema: z.record(z.string(), z.unknown()) },
      202: { description: 'The message needed no response.' },
    },
    errors: ['invalid_request', 'invalid_input'],
    bucket: 'agent',
    isIdempotent: false,
    isDocumented: false,
    handler: async (ctx, request) => {
      requireOwnAddress(request.headers, address);
      let undo: RouteResponse['onUnsent'];
      const call = { ctx, request, onUnsent: (given: RouteResponse['onUnsent']) => void (undo = given) };
      const response = await handleMessage({ tools, limit }, call, `${address.baseUrl}${path}`);
      if (response.status === 202) return { status: 202 };
      const body = (await response.json()) as Record<string, unknown>;
      if (!response.ok) throw refusal(response.status, body);
      return { status: 200, body, ...(undo ? { onUnsent: undo } : {}) };
    },
  });
}

async function handleMessage(parts: ToolParts, call: McpCall, url: string): Promise<Response> {
  const server = createServer(parts, call);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(transportRequest(call, url), { parsedBody: call.request.body });
  } finally {
    await server.close();
  }
}

function createServer(parts: ToolParts, call: McpCall): Server {
  const { principal } = call.request;
  const open = [...parts.tools.values()].filter(({ route }) => mayCall(route, principal));
  const descriptions = open.map(({ description }) => description);
  const instructions = instructionsFor(descriptions.map(({ name }) => name));
  const server = new Server(
    { name: 'engineering-agent-service', version: '1' },
    { capabilities: { tools: {} }, instructions, jsonSchemaValidator },
  );
  server.onerror = (error) => call.ctx.logger.debug({ err: error }, 'protocol message refused');
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: descriptions }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => callTool(parts, call, params));
  return server;
}

/** What the transport looks at. The body was JSON or the door had refused it, and the response is always JSON. */
function transportRequest({ request: { headers } }: McpCall, url: string): Request {
  const version = headers['mcp-protocol-version'];
  return new Request(url, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(typeof version === 'string' ? { 'mcp-protocol-version': version } : {}),
    },
  });
}

/** What the transport refuses gets the response of any other bad request. */
function refusal(status: number, body: Record<string, unknown>): AppError {
  const { message } = z.object({ message: z.string() }).catch({ message: 'no message' }).parse(body['error']);
  return new AppError('invalid_request', { status, message: message.slice(0, 500) });
}
