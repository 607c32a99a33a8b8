/**
 * The database cannot serve a request now; it may be retried in a second. Not an AppError, which is a final refusal of
 * the request.
 */
export class Unavailable extends Error {}

const lostConnection =
  /timeout exceeded when trying to connect|Connection terminated|terminating connection|is not queryable|Query read timeout/;

/**
 * SQLSTATEs of broken connections, a starting or stopping server, no memory, connections or disk, a standby, and
 * statements that took too long or waited too long for a lock.
 */
const unavailableStates = /^(08...|57P0[123]|53[123]00|25006|57014|55P03)$/;

/** Whether the database could not be reached or cannot work now, so that the same statement may succeed soon. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return anyCause(
    error,
    (one) => one instanceof Unavailable || unavailableStates.test(String(one.code)) || lostConnection.test(one.message),
  );
}

const networkCodes = new Set<unknown>(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

/** The same of any store. */
export function isUnavailable(error: unknown): boolean {
  return isDatabaseUnavailable(error) || anyCause(error, ({ code }) => networkCodes.has(code));
}

function anyCause(error: unknown, test: (error: Error & { code?: unknown }) => boolean): boolean {
  return error instanceof Error && (test(error) || anyCause(error.cause, test));
}
