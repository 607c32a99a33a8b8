import type { Principal } from '@eas/contracts';
import { type Collector, createCollector, type Logger } from '@eas/core';
import type { Database } from '@eas/db';
import { isKeyForm, isPlausibleKey } from '../keys/api-key.ts';
import { touchApiKeys } from '../keys/api-key.store.ts';
import { readCookie } from '../sessions/cookie.ts';
import { isPlausibleToken } from '../sessions/session.ts';
import { touchSessions } from '../sessions/session.store.ts';
import { createCredentialCache } from './credential-cache.ts';
import { goodKey, goodSession, goodToken } from './good-credential.ts';
import { noCredential, refuseKey, refuseSession, refuseToken } from '../rules/refusals.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

type Use = { tenantId: string; id: string };

export type Authenticator = {
  /** The caller of a request; throws unauthorized. Warm credentials return without a promise or a query. */
  authenticate(headers: Headers): Principal | Promise<Principal>;
  /** Whether a request brings a credential, right or wrong. */
  hasCredential(headers: Headers): boolean;
  /** The tenant of a previously accepted caller, without a query; `authenticate` returns who that caller is now. */
  tenantOf(headers: Headers): string | undefined;
  close(): Promise<void>;
};

export type AuthenticatorOptions = {
  database: Pick<Database, 'db' | 'listener'>;
  logger: Logger;
  /** Name of the cookie of people who signed in. Left out: cookies are ignored. */
  sessionCookie?: string;
  /** Called for every call with a good API key. */
  onKeyUse?: (principal: Principal) => void;
  /** Below this age a cached credential is trusted without a look-up; 1 s. */
  freshMs?: number;
  /** From this age on a cached credential is looked up again before it is trusted; 2 s. */
  staleMs?: number;
};

/**
 * Authenticates by X-API-Key, by `Authorization: Bearer` (an access token or a key `eas_…`), and, where neither is
 * sent, by the session cookie. A credential costs no query while it is warm, and stops working at most `staleMs` after
 * it was revoked, at once where the notification arrives. Of two headers both must be valid; X-API-Key decides.
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { database, logger, sessionCookie, onKeyUse, freshMs = 1_000, staleMs = 2_000 } = options;
  const { db, listener } = database;
  const onLost = (error: unknown, credentials: number) =>
    logger.warn({ err: error, credentials }, 'last use of credentials not recorded');
  const uses = { onLost, isPatient: true };
  const keyUses = createCollector<Use>({ ...uses, write: (used) => touchApiKeys(db, used) });
  const sessionUses = createCollector<Use>({ ...uses, write: (used) => touchSessions(db, used) });
  const ageing = { logger, freshMs, staleMs };
  const recordKeyUse = (principal: Principal) => {
    noteUse(keyUses, principal);
    onKeyUse?.(principal);
  };
  const keys = createCredentialCache({ find: goodKey(db), refuse: refuseKey, onUse: recordKeyUse, ...ageing });
  const tokens = createCredentialCache({ find: goodToken(db), refuse: refuseToken, ...ageing });
  const sessions = createCredentialCache({
    find: goodSession(db),
    refuse: refuseSession,
    onUse: (principal) => noteUse(sessionUses, principal),
    ...ageing,
  });
  const stopListening = listener.on('access', (changedId) => {
    for (const cache of [keys, tokens, sessions]) cache.drop(changedId);
  });

  function byKey(key: string | string[]): Principal | Promise<Principal> {
    if (typeof key !== 'string' || !isPlausibleKey(key)) throw refuseKey();
    return keys.principalOf(key);
  }

  const byBearer = (bearer: string): Principal | Promise<Principal> =>
    isKeyForm(bearer) ? byKey(bearer) : tokens.principalOf(bearer);

  const sessionTokenOf = ({ cookie }: Headers) =>
    sessionCookie === undefined ? undefined : readCookie(cookie, sessionCookie);

  function byCookie(headers: Headers): Principal | Promise<Principal> {
    const token = sessionTokenOf(headers);
    if (token === undefined) throw noCredential();
    if (!isPlausibleToken(token)) throw refuseSession();
    return sessions.principalOf(token);
  }

  return {
    authenticate(headers) {
      const { 'x-api-key': key, authorization } = headers;
      const bearer = bearerOf(authorization);
      if (key === undefined && authorization === undefined) return byCookie(headers);
      if (key === undefined || key === '') {
        if (bearer === undefined) throw noCredential();
        return byBearer(bearer);
      }
      if (bearer === undefined) return byKey(key);
      return Promise.all([byKey(key), byBearer(bearer)]).then(([principal]) => principal);
    },
    hasCredential: (headers) =>
      Boolean(headers['x-api-key'] || headers['authorization']) || Boolean(sessionTokenOf(headers)),
    tenantOf(headers) {
      const { 'x-api-key': key, authorization } = headers;
      if (typeof key === 'string' && key !== '') return keys.tenantOf(key);
      const bearer = bearerOf(authorization);
      if (bearer !== undefined) return (isKeyForm(bearer) ? keys : tokens).tenantOf(bearer);
      const token = sessionTokenOf(headers);
      return token === undefined ? undefined : sessions.tenantOf(token);
    },
    async close() {
      stopListening();
      await Promise.all([keyUses.close(), sessionUses.close()]);
    },
  };
}

/** The token of an Authorization header, empty when it has none; undefined for other schemes. */
function bearerOf(authorization: string | string[] | undefined): string | undefined {
  if (typeof authorization !== 'string') return undefined;
  const match = /^bearer(?:\s+(.*))?$/i.exec(authorization.trim());
  return match ? (match[1] ?? '') : undefined;
}

function noteUse(uses: Collector<Use>, { tenantId, credentialId }: Principal): void {
  if (!uses.has(credentialId)) uses.note(credentialId, () => ({ tenantId, id: credentialId }));
}
