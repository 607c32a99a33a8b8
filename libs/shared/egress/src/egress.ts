import pTimeout from 'p-timeout';
import type { Dispatcher } from 'undici';
import { createAddressFilter, type EgressPolicy } from './address-policy.ts';
import { createConnections } from './connection.ts';
import { type Exchange, type ExchangeRequest, type ResponseHeaders, runExchange } from './exchange.ts';
import { type FailureReason, failureMessages } from './failure.ts';
import { createFilteredLookup } from './filtered-lookup.ts';
import { createNameResolver, type ResolveName } from './name-resolver.ts';
import { type EgressPhases, noPhases } from './phases.ts';
import { vetUrl } from './vet-url.ts';

/** Everything from the DNS look-up to the last byte of the response that is read, in ms. */
export const egressDeadlineMs = 15_000;
/** At most this many bytes of a response's body are read; then the connection is dropped. */
const maxResponseBytes = 16_384;

const defaults = {
  deadlineMs: egressDeadlineMs,
  connectTimeoutMs: 5_000,
  headersTimeoutMs: 10_000,
  bodyTimeoutMs: 5_000,
  maxHeaderBytes: 16_384,
  maxResponseBytes,
  maxConnectionsPerOrigin: 64,
};

export type EgressRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: Buffer | string;
  /** Cancels the request: reason `aborted`. */
  signal?: AbortSignal;
};

export type EgressResult = {
  durationMs: number;
  phases: EgressPhases;
  /** A connection that was kept alive proved closed; the request was sent again on a new one. */
  isRetried: boolean;
} & (
  | {
      kind: 'response';
      status: number;
      headers: ResponseHeaders;
      /** The first maxResponseBytes bytes as received: nothing is decompressed. */
      body: Buffer;
      /** The body is longer; the rest was not read. */
      isBodyCut: boolean;
    }
  | { kind: 'failure'; reason: FailureReason; message: string }
);

export type Egress = {
  /** Sends one request. It follows no redirects and never throws: errors are returned as a failure with a reason. */
  send(request: EgressRequest): Promise<EgressResult>;
  /** Closes idle connections and cancels running requests. */
  close(): Promise<void>;
};

/** Which addresses may be called, how long a phase and all of them may take (ms), how much is read (bytes). */
export type EgressOptions = EgressPolicy &
  Partial<typeof defaults> & {
    /** Resolves names instead of the name servers and the system. Its addresses are checked like any others. */
    resolve?: ResolveName;
  };

/** Time limit for closing connections: one that hangs ends with the process. */
const lastMs = 5_000;

/** The only way out of the service. One per process; it keeps connections alive between requests. */
export function createEgress(options: EgressOptions): Egress {
  const limits = { ...defaults, ...withoutUndefined(options) };
  const isAllowedAddress = createAddressFilter(options);
  const lookup = createFilteredLookup(isAllowedAddress, options.resolve ?? createNameResolver());
  const { pooled, openSingle } = createConnections(lookup, limits);
  const singles = new Set<Dispatcher>();
  const timeoutMs = { connect: limits.connectTimeoutMs, headers: limits.headersTimeoutMs, body: limits.bodyTimeoutMs };

  async function send(request: EgressRequest): Promise<EgressResult> {
    const started = performance.now();
    const result = (exchange: Exchange, isRetried: boolean) =>
      resultOf(exchange, { isRetried, durationMs: Math.round(performance.now() - started) });
    const vetted = vetUrl(request.url, options, isAllowedAddress);
    // Node never looks up a literal address, so it is checked here and not by the look-up.
    if (!vetted.isAllowed) return result(notSent('blocked_target'), false);
    if (request.signal?.aborted) return result(notSent('aborted'), false);
    const outgoing: ExchangeRequest = { ...request, url: vetted.url };
    const exchangeLimits = {
      endsAt: started + limits.deadlineMs,
      timeoutMs,
      maxResponseBytes: limits.maxResponseBytes,
    };
    const first = await runExchange(pooled, outgoing, exchangeLimits);
    if (first.kind === 'response' || !first.isStale) return result(first, false);
    // The other connections of the pool may be closed too.
    const single = openSingle(vetted.url.origin);
    singles.add(single);
    const second = await runExchange(single, outgoing, exchangeLimits);
    singles.delete(single);
    await single.destroy();
    return result(second, true);
  }

  return {
    send,
    async close() {
      const closed = Promise.all([pooled, ...singles].map((dispatcher) => dispatcher.destroy()));
      await pTimeout(closed, { milliseconds: lastMs, fallback: () => [] });
    },
  };
}

/** Removes unset options, so that they do not override defaults. */
function withoutUndefined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}

function notSent(reason: FailureReason): Exchange {
  return { kind: 'failure', reason, isStale: false, phases: noPhases };
}

function resultOf(exchange: Exchange, common: { durationMs: number; isRetried: boolean }): EgressResult {
  if (exchange.kind === 'response') return { ...exchange, ...common };
  const { kind, reason, phases } = exchange;
  return { kind, reason, message: failureMessages[reason], phases, ...common };
}
