import type { IncomingMessage } from 'node:http';
import type { Principal } from '@eas/contracts';
import type { Route } from '../route.ts';
import { requireCsrfToken } from '../security/csrf.ts';
import { parseJsonBody } from './json-body.ts';
import {
  maxReceiverBodyBytes,
  maxRestBodyBytes,
  maxSmallBytes,
  readBody,
  requireForm,
  requireJson,
} from './read-body.ts';
import { hasBody } from './stall-guard.ts';

const noBody = Buffer.alloc(0);

/** The bytes of a body of the route's kind. Throws 413, then 415. */
export async function takeBody(request: IncomingMessage, route: Route, stallMs?: number): Promise<Buffer> {
  if (route.access !== 'public' && 'signature' in route.access) return readBody(request, maxReceiverBodyBytes, stallMs);
  if (!route.readBody && !route.readForm) return noBody;
  if (!hasBody(request)) return noBody;
  const maxBytes = route.readForm || route.access === 'public' ? maxSmallBytes : maxRestBodyBytes;
  // A declared size goes before the type; nothing is read of a body of another type.
  if (Number(request.headers['content-length'] ?? 0) <= maxBytes) (route.readForm ? requireForm : requireJson)(request);
  return readBody(request, maxBytes, stallMs);
}

/** What the bytes say by the route's schema. Throws 400; before it, 403 for a form without its session's token. */
export function parseBody(route: Route, bytes: Buffer, principal: Principal | undefined): unknown {
  if (!route.readForm) return route.readBody?.(parseJsonBody(bytes));
  const form = route.readForm(bytes);
  if (principal) requireCsrfToken(principal, form.csrfToken);
  return form.read();
}
