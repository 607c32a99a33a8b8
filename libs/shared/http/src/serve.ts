import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { refuseBrokenRequest } from './security/broken-request.ts';

export type Listening = {
  server: Server;
  /** The port in use: the one asked for, or the one the system chose for 0. */
  port: number;
  /** Takes no more connections, lets what is in flight finish, and cuts what is left after `graceMs`. */
  close(graceMs?: number): Promise<void>;
};

export type ServeOptions = {
  host: string;
  port: number;
  /** For all headers of a request; 15 s. */
  headersMs?: number;
  /** For a whole request; 120 s. */
  requestMs?: number;
};

/**
 * Connections that wait to be accepted; the system lowers it to its own limit (net.core.somaxconn). Whoever comes when
 * it is full tries again a second later, so a flood of connections would delay every newcomer.
 */
const maxBacklog = 65_535;

/** Listens. Rejects when the address cannot be had. Slow clients and what is no HTTP get an error and are cut. */
export async function serve(app: RequestListener, options: ServeOptions): Promise<Listening> {
  const { host, port, headersMs = 15_000, requestMs = 120_000 } = options;
  const server = createServer(
    {
      // The door refuses what has no Host, in the words of the service.
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
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: maxBacklog }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    close: (graceMs = 8_000) => closeServer(server, graceMs),
  };
}

function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    // Connections that fall idle while others finish would otherwise hold the close open.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearTimeout(cut);
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
  });
}
