import type { Principal } from '@eas/contracts';
import { AppError, type Logger } from '@eas/core';
import { LRUCache } from 'lru-cache';
import { hashCredential } from '../rules/hash-credential.ts';

export type GoodCredential = {
  principal: Principal;
  /** Ids whose notification invalidates it: of the credential, and of what it depends on. */
  ids: readonly string[];
  /** How much longer it is valid; null: no expiry. */
  validForMs: number | null;
};

export type CredentialCache = {
  /** The caller that presents a text; throws what `refuse` makes. Without a promise or a query while it is warm. */
  principalOf(text: string): Principal | Promise<Principal>;
  /** The tenant of a text that was valid before, however long ago. */
  tenantOf(text: string): string | undefined;
  /** Drops the credentials that depend on an id; '' drops all. */
  drop(changedId: string): void;
};

export type CredentialCacheOptions = {
  find: (hash: Buffer, text: string) => Promise<GoodCredential | undefined>;
  refuse: () => AppError;
  onUse?: (principal: Principal) => void;
  logger: Logger;
  /** Below this age a credential is trusted without a look-up. */
  freshMs: number;
  /** From this age on it is looked up again before it is trusted; between the two, in the background. */
  staleMs: number;
};

type LookUp = { principal: Promise<Principal>; askedAtMs: number };
type Entry = { good: GoodCredential; checkedAtMs: number; endsAtMs: number; isRefreshing: boolean };

const maxEntries = 20_000;

/** Caches by hash which credentials of one kind are valid. No text is stored. */
export function createCredentialCache(options: CredentialCacheOptions): CredentialCache {
  const { find, refuse, onUse = () => {}, logger, freshMs, staleMs } = options;
  const entries = new LRUCache<string, Entry>({ max: maxEntries });
  const lookUps = new Map<string, LookUp>();

  /** Concurrent callers share a look-up; its result may be as old as a fresh one. */
  function lookUp(hash: Buffer, cacheKey: string, text: string): Promise<Principal> {
    const shared = lookUps.get(cacheKey);
    if (shared && performance.now() - shared.askedAtMs < freshMs) return shared.principal;
    const principal = lookUpAlone(hash, cacheKey, text).finally(() => {
      if (lookUps.get(cacheKey)?.principal === principal) lookUps.delete(cacheKey);
    });
    lookUps.set(cacheKey, { principal, askedAtMs: performance.now() });
    return principal;
  }

  async function lookUpAlone(hash: Buffer, cacheKey: string, text: string): Promise<Principal> {
    const checkedAtMs = performance.now();
    const good = await find(hash, text);
    if (!good) {
      entries.delete(cacheKey);
      throw refuse();
    }
    const endsAtMs = checkedAtMs + (good.validForMs ?? Infinity);
    entries.set(cacheKey, { good, checkedAtMs, endsAtMs, isRefreshing: false });
    return good.principal;
  }

  function refresh(entry: Entry, hash: Buffer, cacheKey: string, text: string): void {
    if (entry.isRefreshing) return;
    entry.isRefreshing = true;
    lookUp(hash, cacheKey, text).catch((error: unknown) => {
      entry.isRefreshing = false;
      if (!(error instanceof AppError)) logger.warn({ err: error }, 'credential refresh failed');
    });
  }

  return {
    principalOf(text) {
      const hash = hashCredential(text);
      const cacheKey = hash.toString('latin1');
      const entry = entries.get(cacheKey);
      const nowMs = performance.now();
      if (entry && nowMs < entry.endsAtMs && nowMs - entry.checkedAtMs < staleMs) {
        if (nowMs - entry.checkedAtMs >= freshMs) refresh(entry, hash, cacheKey, text);
        onUse(entry.good.principal);
        return entry.good.principal;
      }
      return lookUp(hash, cacheKey, text).then((principal) => {
        onUse(principal);
        return principal;
      });
    },
    tenantOf: (text) => entries.get(hashCredential(text).toString('latin1'))?.good.principal.tenantId,
    drop(changedId) {
      const dropped: string[] = [];
      entries.forEach(({ good }, cacheKey) => {
        if (changedId === '' || good.ids.includes(changedId)) dropped.push(cacheKey);
      });
      // Only now: the cache must not change while it is iterated.
      for (const cacheKey of dropped) entries.delete(cacheKey);
      lookUps.clear();
    },
  };
}
