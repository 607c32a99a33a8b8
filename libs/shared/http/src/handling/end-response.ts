import type { OutgoingHttpHeaders } from 'node:http';
import { type HttpServer, type Exchange, watchBody } from '../exchange/exchange.ts';
import { hasBody } from '../intake/read-body.ts';

/** How long the sender of a cut body may continue before its connection ends. */
const lingerMs = 1_000;

/** Discarded bytes cost a fraction of stored ones. */
const discardedWeight = 4;

/**
 * Writes the response and ends it once the request's body has ended too: a connection that is closed with unread bytes
 * is reset, and the client may lose the response. The rest of the body is discarded, and cut if it is too slow.
 */
export function endResponse(
  server: HttpServer,
  exchange: Exchange,
  head: OutgoingHttpHeaders,
  text: string | Buffer = '',
): void {
  const { request, response } = exchange;
  if (request.complete || !hasBody(request)) return void response.end(text);
  response.flushHeaders();
  if (text.length > 0) response.write(text);
  const end = () => response.end();
  const cut = () => response.end(() => request.destroy());
  if (head['connection'] === 'close') setTimeout(cut, lingerMs).unref();
  else {
    const watched = watchBody(server, exchange, cut);
    request.on('data', (chunk: Buffer) => watched.pace(chunk.length / discardedWeight));
  }
  request.once('end', end).once('close', end).resume();
}
