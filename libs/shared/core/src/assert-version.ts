import { AppError } from './app-error.ts';

/**
 * Throws the 412 of a row whose version is none that the caller named in If-Match; undefined: it named none.
 * Called after the 404 and before any 409.
 */
export function assertVersion(version: number, ifMatch: readonly number[] | undefined): void {
  if (ifMatch === undefined || ifMatch.includes(version)) return;
  const message = 'If-Match does not contain the current ETag. Read the resource again and retry.';
  throw new AppError('invalid_request', { status: 412, message, field: 'If-Match', constraint: 'version' });
}
