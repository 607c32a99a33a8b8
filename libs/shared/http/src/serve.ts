import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { unusablePort } from '@eas/core';
import { endingConnections } from './ending-connections.ts';
import { refuseBrokenRequest } from './security/broken-request.ts';

export type Listening = {
  server: Server;
  /** The port in use: the one asked for, or the one the system chose for 0. */
  port: number;
  /**
   * Accepts no more connections, lets requests in flight finish, and cuts the rest after `graceMs`. During the first
   * `delayMs` of it (at most half) requests are still accepted, and each response asks its client to close the
   * connection.
   */
  close(graceMs?: number, delayMs?: number): Promise<void>;
};

export type ServeOptions = {
  host: string;
  port: number;
  /** The setting that the port comes from; PORT. */
  setting?: string;
  /** For all headers of a request; 15 s. */
  headersMs?: number;
  /** For a whole request; 120 s. */
  requestMs?: number;
};

/**
 * Connections that wait to be accepted; the system lowers it to its own limit (net.core.somaxconn). A client that
 * connects when it is full retries a second later, so a flood of connections would delay every new client.
 */
const maxBacklog = 65_535;

/**
 * Listens. Rejects with a StartError when the address is unavailable. Slow clients and invalid HTTP get an error and
 * are cut.
 */
export async function serve(app: RequestListener, options: ServeOptions): Promise<Listening> {
  const { host, port, headersMs = 15_000, requestMs = 120_000 } = options;
  const server = createServer(
    {
      // A request without Host is refused later, with the service's error body.
      requireHostHeader: false,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: Math.min(5_000, headersMs),
    },
    app,
  );
  server.maxRequestsPerSocket = 0;
  server.on('clientError', refuseBrokenRequest);
  const connections = endingConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(unusablePort('The port', options.setting ?? 'PORT', { host, port }, error)));
    server.listen({ host, port, backlog: maxBacklog }, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    async close(graceMs = 8_000, delayMs = 0) {
      connections.askToClose();
      const waitMs = Math.min(delayMs, graceMs / 2);
      if (waitMs > 0) await sleep(waitMs);
      await connections.end(graceMs - waitMs);
    },
  };
}
