import type { Principal } from '@eas/contracts';
import { type HttpServer, type Exchange, watchBody } from '../exchange/exchange.ts';
import { isReceiver, type Route } from '../routes/route.ts';
import { requireCsrfToken } from '../security/csrf.ts';
import { parseJsonBody } from '../reading/json-body.ts';
import {
  hasBody,
  maxReceiverBodyBytes,
  maxRestBodyBytes,
  maxSmallBytes,
  readBody,
  requireForm,
  requireJson,
} from '../intake/read-body.ts';

const noBody = Buffer.alloc(0);

/** The bytes of a body of the route's kind. Throws 413, then 415. */
export async function takeBody(server: HttpServer, exchange: Exchange, route: Route): Promise<Buffer> {
  const { request } = exchange;
  const isSigned = isReceiver(route.access);
  if (!hasBody(request) || !(isSigned || route.readBody || route.readForm)) return noBody;
  const maxBytes = isSigned ? maxReceiverBodyBytes : maxBytesOf(route);
  // A declared size goes before the type; nothing is read of a body of another type.
  if (!isSigned && Number(request.headers['content-length'] ?? 0) <= maxBytes)
    (route.readForm ? requireForm : requireJson)(request);
  return readBody(request, maxBytes, watchBody(server, exchange));
}

const maxBytesOf = ({ readForm, access }: Route): number =>
  readForm || access === 'public' ? maxSmallBytes : maxRestBodyBytes;

/** The body parsed by the route's schema. Throws 400; before that, 403 for a form without its session's token. */
export function parseBody(route: Route, bytes: Buffer, principal: Principal | undefined): unknown {
  if (!route.readForm) return route.readBody?.(parseJsonBody(bytes));
  const form = route.readForm(bytes);
  if (principal) requireCsrfToken(principal, form.csrfToken);
  return form.read();
}
