import type { LookupFunction, Socket } from 'node:net';
import { Agent, buildConnector, Client, type Dispatcher, Pool } from 'undici';

/** One connection of a pool. It is opened again when it is needed and its socket has gone. */
export type Connection = {
  socket?: Socket;
  /** Moments of performance.now(). */
  startedAt: number;
  lookedUpAt?: number;
  connectedAt?: number;
  securedAt?: number;
  /** A request was written to the present socket. */
  isUsed: boolean;
};

/**
 * What a request hands to the connection it is given: a pool with all connections in use gives it one later. False:
 * the request is over, the connection is not needed.
 */
export type Carried = Dispatcher.DispatchOptions & { takeConnection(connection: Connection): boolean };

export type ConnectionLimits = { connectTimeoutMs: number; maxHeaderBytes: number; maxConnectionsPerOrigin: number };

/** The longest time for which a receiver's `Keep-Alive: timeout=` is believed. */
const keepAliveMaxMs = 10_000;

/** All connections of this process by origin, and single ones that no other request uses. */
export type Connections = { pooled: Dispatcher; openSingle(origin: string): Dispatcher };

export function createConnections(lookup: LookupFunction, limits: ConnectionLimits): Connections {
  // One for all, since it keeps the TLS sessions. Its time-out is a second guard behind that of the exchange.
  const connector = buildConnector({ allowH2: false, timeout: limits.connectTimeoutMs, lookup });
  const clientOptions: Client.Options = {
    allowH2: false,
    maxHeaderSize: limits.maxHeaderBytes,
    keepAliveMaxTimeout: keepAliveMaxMs,
    // The exchange keeps time: these two begin again with every byte or interim response.
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
      // It returns the socket that is being connected, which its type leaves out.
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
  // Once for each address in some versions; the first one counts.
  socket.once('lookup', () => (connection.lookedUpAt = performance.now()));
  socket.once('connect', () => (connection.connectedAt = performance.now()));
  socket.once('secureConnect', () => (connection.securedAt = performance.now()));
}
