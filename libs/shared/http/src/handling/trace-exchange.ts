import { tracer } from '@eas/core';
import type { Exchange } from '../exchange/exchange.ts';

/** Begins the span of a request, which ends with its response. None while tracing is off. */
export function beginSpan(exchange: Exchange): void {
  const { request, requestId } = exchange;
  const parent = request.headers['traceparent'];
  exchange.span = tracer()?.start(request.method, {
    kind: 'server',
    parent: typeof parent === 'string' ? parent : undefined,
    attributes: { 'http.request.method': request.method, 'eas.request_id': requestId },
  });
}

export const inSpan = <T>({ span }: Exchange, work: () => T): T => (span ? span.run(work) : work());

export function endSpan({ span, request, response, route, principal }: Exchange): void {
  if (!span) return;
  const pattern = route?.path ?? 'unmatched';
  span.rename(`${request.method} ${pattern}`);
  span.set({ 'http.route': pattern, 'http.response.status_code': response.statusCode });
  if (principal) span.set({ 'eas.tenant_id': principal.tenantId });
  span.end(response.statusCode >= 500 ? new Error('server error') : undefined);
}
