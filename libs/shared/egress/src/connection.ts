import type { LookupFunction, Socket } from 'node:net';
import { Agent, buildConnector, Client, type Dispatcher, Pool } from 'undici';

/** One connection of a pool. It is reopened when it is needed and its socket is gone. */
export type Connection = {
  socket?: Socket;
  /** Moments of performance.now(). */
  startedAt: number;
  lookedUpAt?: number;
  connectedAt?: number;
  securedAt?: number;
  /** A request was written to the current socket. */
  isUsed: boolean;
};

/**
 * Called with the connection that a request gets, which is later if all connections of the pool are in use. False: the
 * request is over and does not need the connection.
 */
export type Carried = Dispatcher.DispatchOptions & { takeConnection(connection: Connection): boolean };

export type ConnectionLimits = { connectTimeoutMs: number; maxHeaderBytes: number; maxConnectionsPerOrigin: number };

/** Upper limit for a receiver's `Keep-Alive: timeout=`. */
const keepAliveMaxMs = 10_000;

/** All connections of this process by origin, and dedicated ones that no other request uses. */
export type Connections = { pooled: Dispatcher; openSingle(origin: string): Dispatcher };

export function createConnections(lookup: LookupFunction, limits: ConnectionLimits): Connections {
  // Shared, since it stores the TLS sessions. Its time-out is a second guard after that of the exchange.
  const connector = buildConnector({ allowH2: false, timeout: limits.connectTimeoutMs, lookup });
  const clientOptions: Client.Options = {
    allowH2: false,
    maxHeaderSize: limits.maxHeaderBytes,
    keepAliveMaxTimeout: keepAliveMaxMs,
    // The exchange has its own timers: these two restart with every byte or interim response.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const openClient = (origin: string | URL) => createClient(origin, clientOptions, connector);
  const pooled = new Agent({
    factory: (origin) =>
      new Pool(origin, { ...clientOptions, connections: limits.maxConnectionsPerOrigin, factory: openClient }),
  });
  return { pooled, openSingle: openClient };
}

function createClient(origin: string | URL, options: Client.Options, connector: buildConnector.connector): Client {
  const connection: Connection = { startedAt: 0, isUsed: false };
  const client = new Client(origin, {
    ...options,
    connect(target, done) {
      // It returns the connecting socket, which its type omits.
      const socket = connector(target, done) as unknown as Socket;
      follow(connection, socket);
    },
  });
  const dispatch = client.dispatch.bind(client);
  client.dispatch = (carried, handler) =>
    (carried as Carried).takeConnection(connection) ? dispatch(carried, handler) : true;
  return client;
}

/** Records how long the steps of connecting take. */
function follow(connection: Connection, socket: Socket): void {
  Object.assign(connection, {
    socket,
    startedAt: performance.now(),
    lookedUpAt: undefined,
    connectedAt: undefined,
    securedAt: undefined,
    isUsed: false,
  } satisfies Connection);
  // Emitted once per address in some versions; the first one counts.
  socket.once('lookup', () => (connection.lookedUpAt = performance.now()));
  socket.once('connect', () => (connection.connectedAt = performance.now()));
  socket.once('secureConnect', () => (connection.securedAt = performance.now()));
}
