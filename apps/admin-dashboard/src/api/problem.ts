import { readRetryAfter } from '@eas/contracts/retry-after';

/** The kinds of problems that pages handle differently. */
export type ProblemKind =
  'offline' | 'signed_out' | 'forbidden' | 'not_found' | 'conflict' | 'invalid' | 'rate_limited' | 'unavailable';

export type ProblemFacts = {
  kind: ProblemKind;
  message: string;
  /** HTTP status; 0 without a response. */
  status: number;
  requestId?: string | undefined;
  /** Field → sentence. */
  fields: Readonly<Record<string, string>>;
  retryAfterMs?: number | undefined;
};

/** Why a request failed: the only form in which pages handle errors of the API. */
export class Problem extends Error {
  readonly kind: ProblemKind;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
  readonly retryAfterMs: number | undefined;

  constructor({ message, ...facts }: ProblemFacts) {
    super(message);
    this.name = 'Problem';
    this.kind = facts.kind;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.fields = facts.fields;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

type Violation = { field?: string; message?: string };
type Envelope = {
  error?: { message?: string; request_id?: string; details?: Violation; errors?: readonly Violation[] };
};

const kinds: Readonly<Record<number, ProblemKind>> = {
  401: 'signed_out',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  412: 'conflict',
  429: 'rate_limited',
};

/** The problem in an error response; `body` may be anything, because proxies respond too. */
export function problemOf(status: number, headers: Headers, body: unknown): Problem {
  const { message, request_id: requestId, details, errors } = (body as Envelope | undefined)?.error ?? {};
  const violations = errors ?? (details ? [details] : []);
  const named = violations.filter(({ field }) => field !== undefined);
  return new Problem({
    kind: kinds[status] ?? (status >= 500 ? 'unavailable' : 'invalid'),
    message: message ?? `The service responded with status ${status}.`,
    status,
    requestId: requestId ?? headers.get('x-request-id') ?? undefined,
    fields: Object.fromEntries(named.map((one) => [one.field, one.message ?? message ?? 'This value is not valid.'])),
    retryAfterMs: readRetryAfter(headers.get('retry-after'), Date.now()),
  });
}

export const offlineProblem = (): Problem =>
  new Problem({ kind: 'offline', message: 'The service cannot be reached.', status: 0, fields: {} });

/** Converts anything that was thrown. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new Problem({ kind: 'unavailable', message, status: 0, fields: {} });
}

/** A person sees the error after 3 s, unless Retry-After asks for longer. */
const maxReadRetries = 2;

/** Whether a read that failed `count` times is retried: only for temporary problems. */
export const isWorthRetrying = (count: number, error: unknown): boolean =>
  count < maxReadRetries && ['offline', 'rate_limited', 'unavailable'].includes(asProblem(error).kind);

/** Milliseconds until the next try: Retry-After, else 1, 2, 4, … s. */
export const retryDelayMs = (count: number, error: unknown): number =>
  asProblem(error).retryAfterMs ?? 1_000 * 2 ** Math.min(count, 3);
