import type { Principal } from '@eas/contracts';
import type { Db } from '@eas/db';
import { principalOf } from '../keys/api-key.ts';
import { findUsableKey } from '../keys/api-key.read-model.ts';
import { findUsableToken, type UsableToken } from '../oauth/token.read-model.ts';
import { sessionPrincipal } from '../sessions/session.ts';
import { findUsableSession } from '../sessions/session.read-model.ts';
import { requestsOf } from '../rules/giver.ts';
import { withTerms } from '../tenants/terms.ts';
import type { GoodCredential } from './credential-cache.ts';

type Find = (hash: Buffer, text: string) => Promise<GoodCredential | undefined>;

export const goodKey =
  (db: Db): Find =>
  async (hash) => {
    const key = await findUsableKey(db, hash);
    if (!key) return undefined;
    const principal = { ...principalOf(key), ...withTerms(key.terms) };
    return { principal, ids: [key.id, key.tenantId], validForMs: key.validForMs };
  };

export const goodToken =
  (db: Db): Find =>
  async (hash) => {
    const token = await findUsableToken(db, hash);
    if (!token) return undefined;
    const principal = tokenPrincipal(token);
    const ids = [principal.credentialId, token.userId, token.clientId, token.tenantId];
    return { principal, ids, validForMs: token.validForMs };
  };

export const goodSession =
  (db: Db): Find =>
  async (hash, text) => {
    const session = await findUsableSession(db, hash);
    if (!session) return undefined;
    const { tenantId, id, userId, validForMs } = session;
    const principal = { ...sessionPrincipal(session, text), ...withTerms(session.terms) };
    return { principal, ids: [id, userId, tenantId], validForMs };
  };

/** The scopes of a token: those that it was granted, that its client may have and that its person still has. */
function tokenPrincipal(token: UsableToken): Principal {
  const { tenantId, userId, clientId, userScopes, clientScopes, tier, rateLimit } = token;
  const scopes = token.scopes.filter((scope) => userScopes.includes(scope) && clientScopes.includes(scope));
  return {
    tenantId,
    kind: 'token',
    credentialId: `${clientId}:${userId}`,
    actor: scopes.includes('admin') ? { id: userId, isAdmin: true } : { id: userId },
    scopes,
    rateLimit: requestsOf({ tier, rateLimit }),
    ...withTerms(token.terms),
  };
}
