import type { Principal, UserResource } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { refuseSession } from '../rules/refusals.ts';
import { getUser } from '../users/get-user.ts';
import { findSessionEnd } from '../sessions/session.read-model.ts';

/** Throws not_found for a caller without a session, unauthorized when it was just ended. */
export async function getSession(
  ctx: UseCaseContext,
  principal: Principal,
): Promise<{ user: UserResource; csrfToken: string; expiresAt: Date }> {
  const { sessionId, csrfToken } = requireSession(principal);
  const expiresAt = await findSessionEnd(ctx, sessionId);
  if (!expiresAt) throw refuseSession();
  const { body: user } = await getUser(ctx, principal.actor.id);
  return { user, csrfToken, expiresAt };
}

/** The session of a caller; throws not_found for a key or a token. */
export function requireSession({ sessionId, csrfToken }: Principal): { sessionId: string; csrfToken: string } {
  if (sessionId === undefined || csrfToken === undefined)
    throw new AppError('not_found', { message: 'This request has no session: a key or a token was sent.' });
  return { sessionId, csrfToken };
}
