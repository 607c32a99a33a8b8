import { Agent, setGlobalDispatcher } from 'undici';

/**
 * Servers close a connection that is idle for 5 s. On a busy machine a client notices that after its next request was
 * sent.
 */
const idleMs = 1_000;

// For fetch in all suites: does not reuse a connection that its server may be about to close.
setGlobalDispatcher(new Agent({ keepAliveTimeout: idleMs, keepAliveMaxTimeout: idleMs }));
