import type { Principal } from '@eas/contracts';
import { AppError, type Logger } from '@eas/core';
import type { Database } from '@eas/db';
import { hashApiKey, isPlausibleKey, principalOf } from './api-key.ts';
import { findUsableKey } from './api-key.read-model.ts';
import { collectUses } from './collect-uses.ts';

export type Authenticator = {
  /** The caller of a request; throws unauthorized. Warm keys are answered without a promise or a query. */
  authenticate(headers: Readonly<Record<string, string | string[] | undefined>>): Principal | Promise<Principal>;
  /** Writes what is still to be written of last uses. */
  close(): Promise<void>;
};

export type AuthenticatorOptions = {
  database: Pick<Database, 'db' | 'listener'>;
  logger: Logger;
  /** Below this age a cached key is believed as it is; 1 s. */
  freshMs?: number;
  /** From this age on a cached key is looked up again before it is believed; 2 s. */
  staleMs?: number;
};

type LookUp = { principal: Promise<Principal>; askedAtMs: number };
type Entry = { principal: Principal; checkedAtMs: number; isRefreshing: boolean };

const maxEntries = 20_000;

/**
 * Authenticates by X-API-Key. A key costs no query while it is warm, and stops working at most `staleMs` after it was
 * revoked, at once where the notification arrives.
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { database, logger, freshMs = 1_000, staleMs = 2_000 } = options;
  const { db, listener } = database;
  const entries = new Map<string, Entry>();
  const lookUps = new Map<string, LookUp>();
  const uses = collectUses(db, logger);

  const stopListening = listener.on('access', (changedId) => {
    for (const [text, { principal }] of entries)
      if (changedId === '' || principal.credentialId === changedId) entries.delete(text);
    lookUps.clear();
  });

  /** Callers of one moment share a look-up; what it says may be as old as what is fresh. */
  function lookUp(hash: Buffer, text: string): Promise<Principal> {
    const shared = lookUps.get(text);
    if (shared && performance.now() - shared.askedAtMs < freshMs) return shared.principal;
    const principal = lookUpAlone(hash, text).finally(() => {
      if (lookUps.get(text)?.principal === principal) lookUps.delete(text);
    });
    lookUps.set(text, { principal, askedAtMs: performance.now() });
    return principal;
  }

  async function lookUpAlone(hash: Buffer, text: string): Promise<Principal> {
    const askedAtMs = performance.now();
    const key = await findUsableKey(db, hash);
    if (!key) {
      entries.delete(text);
      throw unauthorized('The API key is not valid.');
    }
    const principal = principalOf(key);
    // Delete first, so that the oldest entry is always the first one.
    entries.delete(text);
    if (entries.size >= maxEntries) entries.delete(entries.keys().next().value as string);
    entries.set(text, { principal, checkedAtMs: askedAtMs, isRefreshing: false });
    return principal;
  }

  function refresh(entry: Entry, hash: Buffer, text: string): void {
    if (entry.isRefreshing) return;
    entry.isRefreshing = true;
    lookUp(hash, text).catch((error: unknown) => {
      entry.isRefreshing = false;
      if (!(error instanceof AppError)) logger.warn({ err: error }, 'an API key was not refreshed');
    });
  }

  return {
    authenticate(headers) {
      const hash = hashApiKey(presentedKey(headers));
      const text = hash.toString('latin1');
      const entry = entries.get(text);
      const ageMs = entry ? performance.now() - entry.checkedAtMs : Infinity;
      if (entry && ageMs < staleMs) {
        if (ageMs >= freshMs) refresh(entry, hash, text);
        uses.note(entry.principal);
        return entry.principal;
      }
      return lookUp(hash, text).then((principal) => {
        uses.note(principal);
        return principal;
      });
    },
    async close() {
      stopListening();
      await uses.close();
    },
  };
}

/** The key of a request, or unauthorized without a look-up. */
function presentedKey(headers: Readonly<Record<string, string | string[] | undefined>>): string {
  const { 'x-api-key': key, authorization } = headers;
  // No bearer token has been issued yet, and of two credentials both must be valid.
  if (typeof authorization === 'string' && /^bearer\b/i.test(authorization))
    throw unauthorized('The bearer token is not valid.', 'Bearer realm="api", error="invalid_token"');
  if (key === undefined || key === '') throw unauthorized('Authentication is required: send the header X-API-Key.');
  if (typeof key !== 'string' || !isPlausibleKey(key)) throw unauthorized('The API key is not valid.');
  return key;
}

function unauthorized(message: string, challenge = 'ApiKey realm="api", Bearer realm="api"'): AppError {
  return new AppError('unauthorized', { message, headers: { 'WWW-Authenticate': challenge } });
}
