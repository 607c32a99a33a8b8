import type { Metrics } from './metrics.ts';

/** An HTTP response as the door saw it. `route` is the pattern, never the path. */
export type SeenResponse = { method: string; route: string; status: number; durationMs: number };

export function timeResponses(metrics: Metrics): (seen: SeenResponse) => void {
  const seconds = metrics.histogram({
    name: 'eas_http_request_seconds',
    help: 'Time from request to response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 7, 35],
  });
  return ({ method, route, status, durationMs }) => seconds.observe({ method, route, status }, durationMs / 1_000);
}

/** Counts request bodies that were cut: too slow, or over the share of their address or of the process. */
export function countCutBodies(metrics: Metrics): (reason: string) => void {
  const cut = metrics.counter({
    name: 'eas_http_bodies_cut_total',
    help: 'Request bodies cut off before their end, by reason: slow, address, process.',
    labelNames: ['reason'],
  });
  return (reason) => cut.inc({ reason });
}
