import type { Principal } from '@eas/contracts';
import { AppError, isSameSecret } from '@eas/core';

/** Throws forbidden unless a request of a session has the session's own token in addition to its cookie. */
export function requireCsrfToken({ csrfToken }: Principal, given: string | string[] | undefined): void {
  if (csrfToken && typeof given === 'string' && isSameSecret(csrfToken, given)) return;
  const what = given ? 'does not belong to this session' : 'is missing';
  throw new AppError('forbidden', { message: `The CSRF token ${what}. Reload the page and try again.` });
}
