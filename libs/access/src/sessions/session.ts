import { createHmac, randomBytes } from 'node:crypto';
import type { Principal, Scope } from '@eas/contracts';

/** A session ends after this time without a request, and after seven days in any case. */
export const idleHours = 12;
export const sessionEnd = (startedAt: Date): Date => new Date(startedAt.getTime() + 7 * 24 * 3_600_000);

/** Requests a minute of a person. */
const rateLimit = 1_000;

const tokenBytes = 32;
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

/** The text of a new session or one-time link: 256 random bits. */
export const generateToken = (): string => randomBytes(tokenBytes).toString('base64url');

/** Whether a text can be a session or link at all, without a look-up. */
export const isPlausibleToken = (text: string): boolean => tokenForm.test(text);

/**
 * The token that a request of a session must send in addition to its cookie. It is derived from the session's token, so
 * it is not stored, and does not reveal that token to a page that shows it.
 */
export const csrfTokenOf = (sessionToken: string): string =>
  createHmac('sha256', sessionToken).update('csrf').digest('base64url');

export type UsableSession = { tenantId: string; id: string; userId: string; scopes: Scope[] };

/** The caller that presents the token of a session: the person, with all that the person may do. */
export function sessionPrincipal({ tenantId, id, userId, scopes }: UsableSession, token: string): Principal {
  return {
    tenantId,
    kind: 'session',
    credentialId: id,
    sessionId: id,
    csrfToken: csrfTokenOf(token),
    actor: scopes.includes('admin') ? { id: userId, isAdmin: true } : { id: userId },
    scopes,
    rateLimit,
  };
}
