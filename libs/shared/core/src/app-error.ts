import { type Constraint, type Violation, violationSentence } from './violation.ts';

/** Codes of the public error table; contracts/error-codes.ts has their HTTP statuses. */
export type ErrorCode =
  | 'invalid_request'
  | 'invalid_input'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'rate_limited'
  | 'server_error';

export type AppErrorOptions = {
  /** A sentence; built from the first of `violations` if omitted. */
  message?: string;
  field?: string;
  constraint?: Constraint;
  /** All violations in schema order; the first one becomes `details`. */
  violations?: Violation[];
  /** Overrides the status of the code, for 405, 412, 413, 415 and 503. */
  status?: number;
  /** Response headers that belong to the error (Allow, Retry-After, WWW-Authenticate). */
  headers?: Record<string, string>;
  /** Additional members of the error body, such as the directives of a lost lease. */
  extra?: Record<string, unknown>;
  /** Keeps what was written before the error, also in the transaction of an Idempotency-Key. */
  keepsWrites?: boolean;
  /** Bytes that were read for nothing; they count against the caller like those of a response. */
  readBytes?: number;
  cause?: unknown;
};

/** More violations are not useful. */
const maxViolations = 100;

/** The only error that clients see. Anything else thrown becomes 500 server_error without its text. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly violations: Violation[];
  readonly status: number | undefined;
  readonly headers: Record<string, string>;
  readonly extra: Record<string, unknown>;
  readonly keepsWrites: boolean;
  readonly readBytes: number;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    const [first] = options.violations ?? [];
    const message = options.message ?? (first ? violationSentence(first) : code);
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = options.status;
    this.headers = options.headers ?? {};
    this.extra = options.extra ?? {};
    this.keepsWrites = options.keepsWrites ?? false;
    this.readBytes = options.readBytes ?? 0;
    this.violations = (options.violations ?? singleViolation(options)).slice(0, maxViolations);
  }
}

function singleViolation({ field, constraint }: AppErrorOptions): Violation[] {
  return constraint === undefined ? [] : [{ field: field ?? '', constraint }];
}

/** 403 for every caller of a suspended tenant, with what the operator gave as the reason. */
export const tenantSuspended = (reason: string): AppError =>
  new AppError('forbidden', { field: '', constraint: 'state', message: `The tenant is suspended: ${reason}` });
