import {
  createMcpHandler,
  isLegacyRequest,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Tool } from './bind-tools.ts';
import { callTool, type McpCall, type ToolParts } from './call-tool.ts';
import { instructionsFor } from './tool-catalogue.ts';

type Exchange = { call: McpCall; open: readonly Tool[]; listsTools: boolean };

/** A message of JSON-RPC as text; empty with 202. `listsTools`: it lists tools, and has an empty list of them. */
export type McpResponse = { status: number; text: string; listsTools: boolean };

export type ProtocolParts = ToolParts & {
  /** Of the endpoint, as clients call it. */
  url: string;
};

/**
 * The protocol without sessions: revision 2026-07-28, whose requests say all of themselves, and those before it, whose
 * `initialize` need not be remembered. Responses are always JSON.
 */
export function createProtocol({ url, ...parts }: ProtocolParts) {
  // Only the HTTP server knows the caller; it reaches the tools through the library as context of the request.
  const exchangeOf = (extra: unknown) => extra as Exchange;
  const modern = createMcpHandler(({ authInfo }) => createServer(parts, exchangeOf(authInfo?.extra?.['exchange'])), {
    legacy: 'reject',
    // No change notifications: tools change with a release only.
    maxSubscriptions: 0,
  });

  async function ask(exchange: Exchange): Promise<Response> {
    const { request } = exchange.call;
    const message = messageOf(exchange.call, url);
    const parsedBody = request.body;
    if (!(await isLegacyRequest(message, parsedBody))) {
      const authInfo = { token: '', clientId: '', scopes: [], extra: { exchange } };
      return modern.fetch(message, { parsedBody, authInfo });
    }
    const server = createServer(parts, exchange);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(message, { parsedBody });
    } finally {
      await server.close();
    }
  }

  return {
    async handle(call: McpCall, open: readonly Tool[]): Promise<McpResponse> {
      const exchange = { call, open, listsTools: false };
      const response = await ask(exchange);
      return { status: response.status, text: await response.text(), listsTools: exchange.listsTools };
    },
  };
}

function createServer(parts: ToolParts, exchange: Exchange): Server {
  const { call, open } = exchange;
  const instructions = instructionsFor(open.map(({ description }) => description.name));
  const server = new Server(
    { name: 'engineering-agent-service', version: '1' },
    { capabilities: { tools: {} }, instructions },
  );
  server.onerror = (error) => call.ctx.logger.debug({ err: error }, 'protocol message refused');
  server.setRequestHandler('tools/list', async () => {
    exchange.listsTools = true;
    return { tools: [] };
  });
  server.setRequestHandler('tools/call', async ({ params }) => callTool(parts, call, params));
  return server;
}

/** What the library reads. The body is JSON, else it would have been refused before, and the response is always JSON. */
function messageOf({ request }: McpCall, url: string): Request {
  const headers = new Headers({ accept: 'application/json, text/event-stream', 'content-type': 'application/json' });
  for (const [name, value] of Object.entries(request.headers))
    if (name.startsWith('mcp-') && typeof value === 'string') headers.set(name, value);
  return new Request(url, { method: 'POST', headers });
}
