/**
 * What was asked of the database cannot be served now, and may be asked again in a second. No AppError: that says that what
 * was asked is refused, and is taken for the end of it.
 */
export class Unavailable extends Error {}

const lostConnection =
  /timeout exceeded when trying to connect|Connection terminated|terminating connection|is not queryable|Query read timeout/;

/**
 * Of Postgres: connections that broke, a server that starts or stops, no memory, connections or disk, a standby, and
 * statements that took too long or waited too long for a lock.
 */
const unavailableStates = /^(08...|57P0[123]|53[123]00|25006|57014|55P03)$/;

/** Whether the database could not be reached or cannot work now, so that the same statement may pass in a moment. */
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
