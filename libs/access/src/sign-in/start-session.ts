import type { Principal, RequestSource, UserResource } from '@eas/contracts';
import { newId, tenantSuspended } from '@eas/core';
import type { Tx } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { refuseSignIn } from '../rules/refusals.ts';
import { hashCredential } from '../rules/hash-credential.ts';
import { findTenant } from '../tenants/tenant.read-model.ts';
import { userResource } from '../users/user.ts';
import { recordSignIn } from '../users/user.store.ts';
import { csrfTokenOf, generateToken, sessionEnd, sessionPrincipal } from '../sessions/session.ts';
import { insertSession } from '../sessions/session.store.ts';

/** A new session. `token` goes into the cookie and nowhere else. */
export type SignedIn = {
  token: string;
  csrfToken: string;
  /** Its latest end. */
  expiresAt: Date;
  principal: Principal;
  user: UserResource;
};

/** A person whose password was just verified against this PHC string. */
export type Proven = { userId: string; password: string; source: RequestSource; at: Date };

/**
 * Starts a session. Throws unauthorized when the user was deleted, or got another password, concurrently, and forbidden
 * while the tenant is suspended.
 */
export async function startSession(tx: Tx, { userId, password, source, at }: Proven): Promise<SignedIn> {
  const { tenantId } = tx;
  const reason = (await findTenant(tx, tenantId))?.suspendedReason;
  if (reason) throw tenantSuspended(reason);
  const user = await recordSignIn(tx, { id: userId, password, at });
  if (!user) throw refuseSignIn();
  const token = generateToken();
  const id = newId('session');
  const expiresAt = sessionEnd(at);
  await insertSession(tx, { id, userId, tokenHash: hashCredential(token), expiresAt });
  const actor = { id: userId, via: { ...source, credentialId: id } };
  await recordAudit(tx, actor, { action: 'session.started', target: id });
  const principal = sessionPrincipal({ tenantId, id, userId, scopes: user.scopes }, token);
  return { token, csrfToken: csrfTokenOf(token), expiresAt, principal, user: userResource(user) };
}
