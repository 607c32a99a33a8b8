import type { Metrics } from './metrics.ts';

/** An HTTP response as the server sent it. `route` is the pattern, never the path. */
export type SeenResponse = { method: string; route: string; status: number; durationMs: number };

export function timeResponses(metrics: Metrics): (seen: SeenResponse) => void {
  const seconds = metrics.histogram('eas_http_request_seconds');
  return ({ method, route, status, durationMs }) => seconds.observe({ method, route, status }, durationMs / 1_000);
}

/** Counts request bodies that were cut off: too slow, or over the quota of their address or of the process. */
export function countCutBodies(metrics: Metrics): (reason: string) => void {
  const cut = metrics.counter('eas_http_bodies_cut_total');
  return (reason) => cut.inc({ reason });
}
