import cors from 'cors';
import type { RequestHandler } from 'express';
import { requestIdOf } from '../reading/request-id.ts';
import type { ResponseHeaders } from './security-headers.ts';

const exposedHeaders = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'ETag',
  'Location',
  'Idempotent-Replayed',
  'Deprecation',
  'Sunset',
  'Link',
  'X-Total-Count',
  'WWW-Authenticate',
];
const allowedHeaders = [
  'X-API-Key',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'X-Request-Id',
  'X-CSRF-Token',
  'Last-Event-ID',
  'MCP-Protocol-Version',
];

/**
 * Lets pages of the listed origins call the API with keys and tokens, never with cookies. Another origin gets its
 * response without CORS headers, and its preflight the 405 of any OPTIONS.
 */
export function allowOrigins(origins: readonly string[], security: ResponseHeaders): RequestHandler {
  const allowed = new Set(origins);
  const allow = cors({
    origin: true,
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'],
    allowedHeaders,
    exposedHeaders,
    credentials: false,
    maxAge: 600,
  });
  return (request, response, next) => {
    const { origin, 'x-request-id': givenId } = request.headers;
    if (origin === undefined || !allowed.has(origin)) {
      response.vary('Origin');
      return next();
    }
    // A preflight ends here, before the headers of every response are added.
    if (request.method === 'OPTIONS') response.set({ ...security, 'x-request-id': requestIdOf(givenId) });
    allow(request, response, next);
  };
}
