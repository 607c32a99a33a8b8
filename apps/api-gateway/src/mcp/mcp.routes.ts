import { type RouteResponse, defineRoute, type HttpDeps, FixedBody, mayCall, type Route } from '@eas/http';
import { z } from 'zod';
import { oauthPaths } from '../oauth/paths.ts';
import { bindTools } from './bind-tools.ts';
import type { McpCall } from './call-tool.ts';
import { type OwnAddress, requireOwnAddress } from './own-address.ts';
import { createProtocol } from './protocol.ts';
import { createToolLists } from './tool-lists.ts';

export type McpParts = OwnAddress & {
  routes: readonly Route[];
  budget: HttpDeps['budget'];
};

const mcpPath = oauthPaths.resource;

const message = z.record(z.string(), z.unknown());

/**
 * Streamable HTTP without sessions, in all revisions of the protocol, so any gateway may respond. The HTTP server checks caller,
 * rate and size of the body.
 */
export function mcpRoute({ routes, budget, ...address }: McpParts): Route {
  const tools = bindTools(routes);
  const scopes = [...new Set([...tools.values()].flatMap(({ route }) => route.scopes))];
  const url = `${address.baseUrl}${mcpPath}`;
  const protocol = createProtocol({ tools, budget, url });
  const lists = createToolLists();
  return defineRoute({
    method: 'POST',
    path: mcpPath,
    summary: 'Model Context Protocol',
    tags: ['MCP'],
    access: { scope: scopes },
    resourceMetadata: `${address.baseUrl}${oauthPaths.resourceMetadata}${mcpPath}`,
    // The protocol speaks JSON-RPC: one message a request.
    body: z.record(z.string().max(100), z.unknown()),
    responses: {
      200: { description: 'The response to the message.', schema: message },
      202: { description: 'The message needed no response.' },
      400: { description: 'The message is refused.', schema: message },
      404: { description: 'The method is not known.', schema: message },
    },
    errors: ['invalid_request', 'invalid_input'],
    bucket: 'agent',
    isIdempotent: false,
    isDocumented: false,
    canWait: true,
    handler: async (ctx, request) => {
      requireOwnAddress(request.headers, address);
      let undo: RouteResponse['onUnsent'];
      const call: McpCall = { ctx, request, onUnsent: (given) => void (undo = given) };
      const open = [...tools.values()].filter(({ route }) => mayCall(route, request.principal));
      const { status, text, listsTools } = await protocol.handle(call, open);
      if (status === 202) return { status: 202 };
      const body = new FixedBody(listsTools ? lists.insert(text, open) : text);
      const sent = status === 200 || status === 404 ? status : 400;
      return { status: sent, body, ...(undo ? { onUnsent: undo } : {}) };
    },
  });
}
