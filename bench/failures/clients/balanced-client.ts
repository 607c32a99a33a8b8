import { setTimeout as sleep } from 'node:timers/promises';
import { readRetryAfter } from '@eas/contracts';
import type { Counts } from './mixed-load.ts';

export type Call = { method: string; path: string; headers: Record<string, string>; body?: object };
export type Reply = { status: number; body: Record<string, unknown>; retryAfterMs?: number };

const pauseMs = 250;
/** The body did not come in time: the client is too busy, and repeats it. */
const requestTimeout = 408;
const tooMany = 429;
/** Longer than any fault lasts. */
const patienceMs = 180_000;

/**
 * A client behind a balancer: an address that refuses connections is skipped, which is no error. Everything else
 * that is no response below 500 is one, and the call is made again; so each call must be safe to repeat. So are calls
 * over the rate limit, which many repeated ones exceed, when the response says. Gives undefined when it gives up.
 */
export function createBalancedClient(addresses: readonly string[], counts: Counts) {
  let turn = 0;
  const note = (error: string) => void (counts.errors[error] = (counts.errors[error] ?? 0) + 1);

  /** Refused by all: undefined. */
  async function attempt(call: Call): Promise<Reply | undefined> {
    const first = (turn += 1);
    for (let tried = 0; tried < addresses.length; tried += 1) {
      const reply = await fetchOnce(`${addresses[(first + tried) % addresses.length]}${call.path}`, call);
      if (reply !== 'refused') return reply;
    }
    return undefined;
  }

  return async (call: Call): Promise<Reply | undefined> => {
    for (const endsAt = Date.now() + patienceMs; Date.now() < endsAt; await sleep(pauseMs)) {
      counts.requests += 1;
      try {
        const reply = await attempt(call);
        if (reply && isStillRunning(reply)) continue;
        if (reply && !isForLater(reply)) return reply;
        if (reply?.status === tooMany) await sleep(reply.retryAfterMs ?? 0);
        note(reply ? `${call.method} ${wordOf(call)}: ${reply.status}` : `${wordOf(call)}: refused by all`);
      } catch (error) {
        note(`${call.method} ${wordOf(call)}: ${causeOf(error)}`);
      }
    }
    counts.givenUp += 1;
    return undefined;
  };
}

export const constraintOf = ({ body }: Reply): string | undefined =>
  (body['error'] as { details?: { constraint?: string } } | undefined)?.details?.constraint;

const isForLater = ({ status }: Reply): boolean => status >= 500 || status === requestTimeout || status === tooMany;

/** The first try, whose response did not come, goes on. */
const isStillRunning = (reply: Reply): boolean => constraintOf(reply) === 'idempotency_in_flight';

async function fetchOnce(url: string, { method, headers, body }: Call): Promise<Reply | 'refused'> {
  const text = body && JSON.stringify(body);
  const options = {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(30_000),
  };
  try {
    const response = await fetch(url, text === undefined ? options : { ...options, body: text });
    const received = await response.text();
    const reply = { status: response.status, body: received === '' ? {} : (JSON.parse(received) as Reply['body']) };
    const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), Date.now());
    return retryAfterMs === undefined ? reply : { ...reply, retryAfterMs };
  } catch (error) {
    if (codeOf(error) === 'ECONNREFUSED') return 'refused';
    throw error;
  }
}

const codeOf = (error: unknown): unknown => ((error as Error).cause as { code?: unknown } | undefined)?.code;
const causeOf = (error: unknown): string => String(codeOf(error) ?? (error as Error).name);
/** The path without ids. */
const wordOf = ({ path }: Call): string => path.replaceAll(/\/[a-z]+_\w+/g, '/…').replace(/\?.*/, '');
