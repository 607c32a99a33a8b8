import { parseTimestamp, readRetryAfter } from '@eas/contracts';
import type { OutboundHeaders, OutboundResponse, OutboundResult } from '@eas/outbound';
import type { z } from 'zod';

/** Why a call gave nothing. `reason` is for people and has no secrets; `retryAt` is in Unix milliseconds. */
export type PlatformFailure =
  | { kind: 'gone'; reason: string }
  | { kind: 'denied'; status: 401 | 403; reason: string }
  | { kind: 'limited'; reason: string; retryAt: number | undefined }
  | { kind: 'refused'; reason: string }
  | { kind: 'unavailable'; reason: string };

/** `restUntil`: the platform says that no call is left before then, in Unix milliseconds. */
export type PlatformResponse<T> = ({ kind: 'ok'; value: T } | PlatformFailure) & { restUntil?: number };

/** Sorts out a response of the API of a platform or source host. `now` is in Unix milliseconds. */
export function classify<T>(exchange: OutboundResult, schema: z.ZodType<T>, now: number): PlatformResponse<T> {
  if (exchange.kind === 'failure') return { kind: 'unavailable', reason: `no response: ${exchange.message}` };
  const restUntil = restOf(exchange.headers, now);
  const read = exchange.status >= 200 && exchange.status < 300 ? readBody(exchange, schema) : failureOf(exchange, now);
  return restUntil === undefined ? read : { ...read, restUntil };
}

function readBody<T>({ body, isBodyCut }: OutboundResponse, schema: z.ZodType<T>): PlatformResponse<T> {
  if (isBodyCut) return { kind: 'refused', reason: `the response is larger than ${body.length} bytes` };
  const json = jsonOf(body);
  if (json === undefined) return { kind: 'unavailable', reason: 'the response is not JSON' };
  const read = schema.safeParse(json);
  if (read.success) return { kind: 'ok', value: read.data };
  const field = read.error.issues[0]?.path.map(String).join('.').slice(0, 100) ?? '';
  return { kind: 'unavailable', reason: `the response has an unknown shape${field === '' ? '' : ` at ${field}`}` };
}

function failureOf({ status, headers, body }: OutboundResponse, now: number): PlatformFailure {
  const said = messageOf(body);
  const reason = `status ${status}${said === undefined ? '' : `: ${said}`}`;
  switch (status) {
    // Moved: redirects are not followed.
    case 301:
    case 308:
    case 404:
    case 410:
      return { kind: 'gone', reason };
    case 401:
      return { kind: 'denied', status, reason };
    case 403:
      return isLimit(headers) ? limited(headers, reason, now) : { kind: 'denied', status, reason };
    case 429:
      return limited(headers, reason, now);
    case 408:
    case 425:
      return { kind: 'unavailable', reason };
    default:
      return { kind: status >= 400 && status < 500 ? 'refused' : 'unavailable', reason };
  }
}

/** Source hosts say by 403 as well that there were too many calls. */
const isLimit = (headers: OutboundHeaders) =>
  first(headers['retry-after']) !== undefined || first(headers['x-ratelimit-remaining'])?.trim() === '0';

const limited = (headers: OutboundHeaders, reason: string, now: number): PlatformFailure => ({
  kind: 'limited',
  reason,
  retryAt: retryAfter(headers, now) ?? resetOf(headers, now),
});

/** Platforms explain errors as {err, ECODE}, source hosts as {message, errors}. HTML and the like says nothing. */
function messageOf(body: Buffer): string | undefined {
  const json = jsonOf(body) as Record<'err' | 'ECODE' | 'message' | 'errors', unknown> | null | undefined;
  const errors: unknown[] = Array.isArray(json?.errors) ? json.errors : [];
  const parts = [json?.err, json?.ECODE, json?.message, ...errors.flatMap(partsOfError)].filter(
    (part) => typeof part === 'string' && part !== '',
  );
  return parts.length === 0 ? undefined : parts.join(' ').replaceAll('\0', '').slice(0, 300).toWellFormed();
}

/** In words, else the field and a word for programs. */
function partsOfError(error: unknown): unknown[] {
  const { message, field, code } = (error ?? {}) as Record<string, unknown>;
  return typeof message === 'string' ? [message] : [field, code];
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

const first = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);
const longestRestMs = 3_600_000;
const bounded = (at: number, now: number) => Math.min(Math.max(at, now), now + longestRestMs);

function retryAfter(headers: OutboundHeaders, now: number): number | undefined {
  const waitMs = readRetryAfter(headers['retry-after'], now);
  return waitMs === undefined ? undefined : bounded(now + waitMs, now);
}

/** Unix seconds; some proxies write milliseconds or a date. */
function resetOf(headers: OutboundHeaders, now: number): number | undefined {
  const value = first(headers['x-ratelimit-reset'])?.trim() ?? '';
  if (!/^\d{1,16}$/.test(value)) {
    const at = parseTimestamp(value)?.getTime();
    return at === undefined ? undefined : bounded(at, now);
  }
  const number = Number(value);
  return bounded(number > 1e11 ? number : number * 1_000, now);
}

function restOf(headers: OutboundHeaders, now: number): number | undefined {
  return first(headers['x-ratelimit-remaining'])?.trim() === '0' ? resetOf(headers, now) : undefined;
}
