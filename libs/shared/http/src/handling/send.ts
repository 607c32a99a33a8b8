import { type OutgoingHttpHeaders, validateHeaderValue } from 'node:http';
import { CsvBody, FixedBody, type RouteResponse } from '../routes/responses.ts';
import { endResponse } from './end-response.ts';
import type { HttpServer, Exchange } from '../exchange/exchange.ts';
import { rateHeaders } from '../limits/call-budget.ts';
import type { CallCost } from '../limits/tenant-pace.ts';
import { isLocalPath } from '../pages/local-path.ts';
import { sendStream } from './send-stream.ts';

/** Writes a response, unless one has been started or the client has disconnected. */
export function send(server: HttpServer, exchange: Exchange, result: RouteResponse): void {
  const { response, style } = exchange;
  if (response.headersSent || response.destroyed) return;
  const { status, body, stream } = result;
  const head = headOf(server, exchange, result);
  if (stream) return sendStream(server, exchange, stream, head);
  if (body === undefined) {
    if (status !== 204) head['content-length'] = 0;
    response.writeHead(status, head);
    return endResponse(server, exchange, head);
  }
  const { type, text } = writtenBody(body, style === 'page');
  head['content-type'] = `${type}; charset=utf-8`;
  const bytes = Buffer.byteLength(text);
  head['content-length'] = bytes;
  charge(server, exchange, { bytes });
  response.writeHead(status, head);
  endResponse(server, exchange, head, text);
}

function writtenBody(body: unknown, isPage: boolean): { type: string; text: string | Buffer } {
  if (body instanceof CsvBody) return { type: 'text/csv', text: body.text };
  if (isPage && typeof body === 'string') return { type: 'text/html', text: body };
  return { type: 'application/json', text: body instanceof FixedBody ? body.bytes : JSON.stringify(body) };
}

export function charge(server: HttpServer, { principal, route }: Exchange, cost: CallCost): void {
  if (principal && route) server.budget?.charge(principal, route.bucket, cost);
}

/** Names are in lower case: a header of the handler replaces the server's. */
function headOf(server: HttpServer, exchange: Exchange, { headers, version }: RouteResponse): OutgoingHttpHeaders {
  const { requestId, limit, route, style } = exchange;
  const security = style === 'page' ? server.pageSecurity : server.security;
  const head: OutgoingHttpHeaders = { ...security, 'x-request-id': requestId };
  if (limit) Object.assign(head, rateHeaders(limit));
  if (exchange.principal) head['cache-control'] = 'no-store';
  if (route?.headers) Object.assign(head, route.headers);
  if (version !== undefined) head['etag'] = `"${version}"`;
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    // Node checks as well, but only when it has begun to write, which is too late for another response.
    const values = typeof value === 'string' ? value : [...value];
    for (const one of [values].flat()) validateHeaderValue(name, one);
    head[name.toLowerCase()] = values;
  }
  const { location } = head;
  if (typeof location === 'string' && location.startsWith('/'))
    head['location'] = addressOf(server, exchange, location);
  return head;
}

/** Where a path leads: an API client gets the whole address, a browser stays on the host that it knows. */
function addressOf({ baseUrl = '', basePath }: HttpServer, { style }: Exchange, path: string): string {
  if (!isLocalPath(path)) throw new Error('a Location leads to another site');
  return `${style === 'page' ? basePath : baseUrl}${path}`;
}
