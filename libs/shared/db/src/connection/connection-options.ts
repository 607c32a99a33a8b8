/** Probes of the idle connection detect a server that vanished silently; a new connection has 10 s to respond. */
export const connectionOptions = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: 10_000,
};

/**
 * A connection can stop responding and stay open: a statement without a response is given up after this time (ms). No
 * statement of the apps takes nearly as long, and clients wait longer.
 */
export const statementTimeoutMs = 10_000;
