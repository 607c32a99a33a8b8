import { setTimeout as sleep } from 'node:timers/promises';
import { errorResponse, type ErrorResponse, readRetryAfter } from '@eas/contracts';
import type { Log } from '../log.ts';
import { delayMs } from './back-off.ts';

export type Call = {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  body?: object;
  headers?: Record<string, string>;
  /** Longest pause between two tries; 30 s. */
  maxDelayMs?: number;
};

/** A response of the service. `sentAtMs` and `cameAtMs` are of performance.now(), `dateMs` the time of the response by the service's own clock. */
export type ApiResponse = {
  status: number;
  body: unknown;
  error: ErrorResponse['error'] | undefined;
  sentAtMs: number;
  cameAtMs: number;
  dateMs: number;
};

/** Calls the service, with retries while it fails. Throws when the signal aborts, or all tries failed. */
export type Api = (call: Call, signal: AbortSignal) => Promise<ApiResponse>;

/** A waiting claim takes up to 30 s by itself. */
const patienceMs = 40_000;

export type ApiParts = {
  baseUrl: string;
  apiKey: string;
  log: Log;
  /** Unset: without end. */
  maxTries?: number;
};

export function createApi({ baseUrl, apiKey, log, maxTries = Infinity }: ApiParts): Api {
  return async (call, signal) => {
    for (let tries = 1; ; tries += 1) {
      signal.throwIfAborted();
      const result = await tryOnce(baseUrl, apiKey, call, signal);
      if (!('problem' in result)) return result;
      if (tries >= maxTries) throw new Error(`${baseUrl}: ${result.problem}.`);
      const waitMs = delayMs({ tries, retryAfterMs: result.retryAfterMs, maxMs: call.maxDelayMs ?? 30_000 });
      log(`${call.method} ${baseUrl}${call.path}: ${result.problem}; retrying in ${(waitMs / 1_000).toFixed(1)} s`);
      await sleep(waitMs, undefined, { signal });
    }
  };
}

type Failure = { problem: string; retryAfterMs?: number };

async function tryOnce(
  baseUrl: string,
  apiKey: string,
  call: Call,
  signal: AbortSignal,
): Promise<ApiResponse | Failure> {
  const sentAtMs = performance.now();
  try {
    const response = await fetch(`${baseUrl}${call.path}`, {
      method: call.method,
      headers: {
        'x-api-key': apiKey,
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...call.headers,
      },
      body: call.body === undefined ? undefined : JSON.stringify(call.body),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
    });
    const text = await response.text();
    if (response.status === 408 || response.status === 429 || response.status >= 500) {
      const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), Date.now());
      const problem = `the service responded with ${response.status}`;
      return retryAfterMs === undefined ? { problem } : { problem, retryAfterMs };
    }
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const error = response.ok ? undefined : errorOf(body, response.status);
    const dateMs = Date.parse(response.headers.get('date') ?? '') || Date.now();
    return { status: response.status, body, error, sentAtMs, cameAtMs: performance.now(), dateMs };
  } catch (error) {
    signal.throwIfAborted();
    return { problem: problemOf(error) };
  }
}

function errorOf(body: unknown, status: number): ErrorResponse['error'] {
  const parsed = errorResponse.safeParse(body);
  if (parsed.success) return parsed.data.error;
  return {
    code: 'server_error',
    message: `a ${status} response that is not from this service`,
    details: {},
    request_id: '',
  };
}

function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no response in time';
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code ?? error.message;
}
