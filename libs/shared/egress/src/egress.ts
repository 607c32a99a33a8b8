import { Agent, request as undiciRequest } from 'undici';
import { createAddressFilter, type EgressPolicy } from './address-policy.ts';
import { type FailureReason, failureMessages, failureReason } from './failure.ts';
import { createFilteredLookup } from './filtered-lookup.ts';
import { readCapped } from './read-capped.ts';
import { vetUrl } from './vet-url.ts';

/** Everything from the DNS look-up to the last byte of the response that is read, in ms. */
export const egressDeadlineMs = 15_000;
/** At most that many bytes of a response's body are read; then the connection is dropped. */
export const maxResponseBytes = 16_384;

export type EgressRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: Buffer | string;
  /** Gives the request up: reason `aborted`. */
  signal?: AbortSignal;
};

export type EgressResult =
  | {
      kind: 'response';
      status: number;
      headers: Record<string, string | string[] | undefined>;
      /** The first maxResponseBytes bytes. */
      body: Buffer;
      durationMs: number;
    }
  | { kind: 'failure'; reason: FailureReason; message: string; durationMs: number };

export type Egress = {
  /** One request, never following redirects, never throwing: what went wrong is a failure with a reason. */
  send(request: EgressRequest): Promise<EgressResult>;
  /** Closes idle connections and gives up what still runs. */
  close(): Promise<void>;
};

/** Which addresses may be called, how long an exchange may take (ms) and how much of a response is read (bytes). */
export type EgressOptions = EgressPolicy & { deadlineMs?: number; maxResponseBytes?: number };

/** The only way out of the service. One per process; it keeps connections alive between requests. */
export function createEgress(options: EgressOptions): Egress {
  const deadlineMs = options.deadlineMs ?? egressDeadlineMs;
  const maxBytes = options.maxResponseBytes ?? maxResponseBytes;
  const agent = new Agent({
    allowH2: false,
    headersTimeout: deadlineMs,
    bodyTimeout: deadlineMs,
    connect: { timeout: deadlineMs, lookup: createFilteredLookup(createAddressFilter(options)) },
  });

  async function send(request: EgressRequest): Promise<EgressResult> {
    const started = performance.now();
    const durationMs = () => Math.round(performance.now() - started);
    const fail = (reason: FailureReason): EgressResult => {
      return { kind: 'failure', reason, message: failureMessages[reason], durationMs: durationMs() };
    };
    // Node never looks a literal address up, so it is vetted here and not by the look-up.
    const vetted = vetUrl(request.url, options);
    if (!vetted.isAllowed) return fail(vetted.reason === 'blocked_address' ? 'blocked_address' : 'blocked_url');
    const giveUp = new AbortController();
    const isAborted = () => request.signal?.aborted ?? false;
    if (isAborted()) return fail('aborted');
    const onAbort = () => giveUp.abort();
    request.signal?.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => giveUp.abort(), deadlineMs);
    try {
      const { method, headers, body } = request;
      const result = await undiciRequest(vetted.url, {
        dispatcher: agent,
        method,
        headers,
        body,
        signal: giveUp.signal,
      });
      const bytes = await readCapped(result.body, maxBytes);
      return {
        kind: 'response',
        status: result.statusCode,
        headers: result.headers,
        body: bytes,
        durationMs: durationMs(),
      };
    } catch (error) {
      if (isAborted()) return fail('aborted');
      return fail(giveUp.signal.aborted ? 'timeout' : failureReason(error));
    } finally {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', onAbort);
    }
  }

  return { send, close: () => agent.destroy() };
}
