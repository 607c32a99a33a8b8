import { AppError } from './app-error.ts';

/** Throws 412 unless If-Match names the version (undefined: it names none). Call after the 404, before any 409. */
export function assertVersion(version: number, ifMatch: readonly number[] | undefined): void {
  if (ifMatch === undefined || ifMatch.includes(version)) return;
  const message = 'If-Match does not contain the current ETag. Read the resource again and retry.';
  throw new AppError('invalid_request', { status: 412, message, field: 'If-Match', constraint: 'version' });
}
