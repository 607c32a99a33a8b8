import type { OutgoingHttpHeaders } from 'node:http';
import type { HttpServer, Exchange } from '../exchange/exchange.ts';
import type { StreamEnd, Streams, StreamSource } from '../streams/streams.ts';
import { watchAccess } from './watch-access.ts';
import { writeStream } from '../streams/write-stream.ts';

/**
 * Responds with a stream until the client disconnects, loses its access or stops reading, or the process shuts down.
 */
export function sendStream(
  server: HttpServer,
  exchange: Exchange,
  source: StreamSource,
  head: OutgoingHttpHeaders,
): void {
  const { request, response } = exchange;
  // The last one keeps proxies from buffering the stream.
  response.writeHead(200, { ...head, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
  if (request.method === 'HEAD') return void response.end();
  exchange.isStreaming = true;
  const route = exchange.route?.path ?? '';
  server.onResponse?.({ method: 'GET', route, status: 200, durationMs: performance.now() - exchange.startedMs });
  void run(server, exchange, source);
}

async function run(server: HttpServer, exchange: Exchange, source: StreamSource): Promise<void> {
  const { response, position = 0, requestId } = exchange;
  const route = exchange.route?.path ?? '';
  const { feeds, observer, heartbeatMs, stallMs, recheckMs, closing } = server.streams as Streams;
  const ending = endOf({ closing, left: exchange.abort.signal });
  const end = () => ending.as('access ended');
  const stopWatching = watchAccess(server, exchange, { everyMs: recheckMs, recheck: source.recheck, end });
  const { feed, leave } = feeds.open(source.history);
  observer.onOpened(route);
  try {
    const { shows = () => true } = source;
    const writing = { feed, position, shows, signal: ending.signal, heartbeatMs, stallMs };
    const outcome = await writeStream(response, { ...writing, onWritten: () => observer.onWritten() });
    if (outcome === 'stalled') ending.as('client stalled');
  } catch (error) {
    // The client reconnects with its last number.
    server.logger.warn({ err: error, request_id: requestId }, 'event stream failed');
    ending.as('failed');
  } finally {
    leave();
    stopWatching();
    ending.stop();
    observer.onEnded(route, ending.reason());
    if (ending.reason() === 'client stalled') response.destroy();
    else response.end();
  }
}

/** Ends a stream once: the first reason counts. */
function endOf({ closing, left }: { closing: AbortSignal; left: AbortSignal }) {
  const controller = new AbortController();
  let reason: StreamEnd | undefined;
  const as = (given: StreamEnd) => {
    reason ??= given;
    controller.abort();
  };
  const onClosing = () => as('shutdown');
  const onLeft = () => as('client left');
  if (closing.aborted) onClosing();
  closing.addEventListener('abort', onClosing);
  left.addEventListener('abort', onLeft);
  const stop = () => {
    closing.removeEventListener('abort', onClosing);
    left.removeEventListener('abort', onLeft);
  };
  return { signal: controller.signal, as, stop, reason: () => reason ?? 'client left' };
}
