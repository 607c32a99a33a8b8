/** A server that vanished without a word is noticed by probes of the idle connection; a new one has 10 s to respond. */
export const connectionOptions = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: 10_000,
};

/**
 * A connection can fall silent and stay open: a statement without a response is given up after so long (ms). None of the
 * apps takes nearly as long, and clients wait longer.
 */
export const statementTimeoutMs = 10_000;
