import type { Metrics } from './metrics.ts';

/** Counts the streams that are open, what is written to them, and why they end. `route` is the pattern. */
export function countStreams(metrics: Metrics) {
  const open = metrics.gauge({ name: 'eas_streams_open', help: 'Open event streams.', labelNames: ['route'] });
  const written = metrics.counter({ name: 'eas_stream_entries_total', help: 'Entries written to event streams.' });
  const ended = metrics.counter({
    name: 'eas_streams_ended_total',
    help: 'Closed event streams by reason.',
    labelNames: ['route', 'reason'],
  });
  return {
    onOpened: (route: string) => open.inc({ route }),
    onWritten: () => written.inc(),
    onEnded(route: string, reason: string) {
      open.dec({ route });
      ended.inc({ route, reason });
    },
  };
}
