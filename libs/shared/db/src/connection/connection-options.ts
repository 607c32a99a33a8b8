/** A server that vanished without a word is noticed by probes of the idle connection; a new one has 10 s to respond. */
export const connectionOptions = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: 10_000,
};
