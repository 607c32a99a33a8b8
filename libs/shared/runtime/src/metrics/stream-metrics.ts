import type { Metrics } from './metrics.ts';

/** Counts the streams that are open, what is written to them, and why they end. `route` is the pattern. */
export function countStreams(metrics: Metrics) {
  const open = metrics.gauge('eas_streams_open');
  const written = metrics.counter('eas_stream_entries_total');
  const ended = metrics.counter('eas_streams_ended_total');
  return {
    onOpened: (route: string) => open.inc({ route }),
    onWritten: () => written.inc(),
    onEnded(route: string, reason: string) {
      open.dec({ route });
      ended.inc({ route, reason });
    },
  };
}
