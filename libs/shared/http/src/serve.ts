import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that takes connections. */
export type Listening = {
  server: Server;
  /** The port in use: the one asked for, or the one the system chose for 0. */
  port: number;
  /** Takes no more connections, lets what is in flight finish, and cuts what is left after `graceMs`. */
  close(graceMs?: number): Promise<void>;
};

/** Listens. Rejects when the address cannot be had. Slow clients are cut: headers 15 s, a whole request 120 s. */
export async function serve(app: RequestListener, { host, port }: { host: string; port: number }): Promise<Listening> {
  const server = createServer(
    { headersTimeout: 15_000, requestTimeout: 120_000, keepAliveTimeout: 65_000, connectionsCheckingInterval: 5_000 },
    app,
  );
  server.maxRequestsPerSocket = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: 1_024 }, () => {
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
