import type { Principal } from '@eas/contracts';
import { AppError, type Logger } from '@eas/core';
import { LRUCache } from 'lru-cache';
import { hashCredential } from '../rules/hash-credential.ts';

export type GoodCredential = {
  principal: Principal;
  /** Ids whose notification makes it doubtful: of the credential, and of what it rests on. */
  ids: readonly string[];
  /** How much longer it is good; null: no end is set. */
  validForMs: number | null;
};

export type CredentialCache = {
  /** The caller that presents a text; throws what `refuse` makes. Without a promise or a query while it is warm. */
  principalOf(text: string): Principal | Promise<Principal>;
  /** The tenant of a text that was found good before, however long ago. */
  tenantOf(text: string): string | undefined;
  /** Forgets the credentials that rest on an id; '' forgets all. */
  drop(changedId: string): void;
};

export type CredentialCacheOptions = {
  find: (hash: Buffer, text: string) => Promise<GoodCredential | undefined>;
  refuse: () => AppError;
  onUse?: (principal: Principal) => void;
  logger: Logger;
  /** Below this age a credential is believed as it is. */
  freshMs: number;
  /** From this age on it is looked up again before it is believed; between the two, while it is believed. */
  staleMs: number;
};

type LookUp = { principal: Promise<Principal>; askedAtMs: number };
type Entry = { good: GoodCredential; checkedAtMs: number; endsAtMs: number; isRefreshing: boolean };

const maxEntries = 20_000;

/** Remembers by hash which credentials of one kind are good. No text is kept. */
export function createCredentialCache(options: CredentialCacheOptions): CredentialCache {
  const { find, refuse, onUse = () => {}, logger, freshMs, staleMs } = options;
  const entries = new LRUCache<string, Entry>({ max: maxEntries });
  const lookUps = new Map<string, LookUp>();

  /** Callers of one moment share a look-up; what it says may be as old as what is fresh. */
  function lookUp(hash: Buffer, place: string, text: string): Promise<Principal> {
    const shared = lookUps.get(place);
    if (shared && performance.now() - shared.askedAtMs < freshMs) return shared.principal;
    const principal = lookUpAlone(hash, place, text).finally(() => {
      if (lookUps.get(place)?.principal === principal) lookUps.delete(place);
    });
    lookUps.set(place, { principal, askedAtMs: performance.now() });
    return principal;
  }

  async function lookUpAlone(hash: Buffer, place: string, text: string): Promise<Principal> {
    const checkedAtMs = performance.now();
    const good = await find(hash, text);
    if (!good) {
      entries.delete(place);
      throw refuse();
    }
    const endsAtMs = checkedAtMs + (good.validForMs ?? Infinity);
    entries.set(place, { good, checkedAtMs, endsAtMs, isRefreshing: false });
    return good.principal;
  }

  function refresh(entry: Entry, hash: Buffer, place: string, text: string): void {
    if (entry.isRefreshing) return;
    entry.isRefreshing = true;
    lookUp(hash, place, text).catch((error: unknown) => {
      entry.isRefreshing = false;
      if (!(error instanceof AppError)) logger.warn({ err: error }, 'credential refresh failed');
    });
  }

  return {
    principalOf(text) {
      const hash = hashCredential(text);
      const place = hash.toString('latin1');
      const entry = entries.get(place);
      const nowMs = performance.now();
      if (entry && nowMs < entry.endsAtMs && nowMs - entry.checkedAtMs < staleMs) {
        if (nowMs - entry.checkedAtMs >= freshMs) refresh(entry, hash, place, text);
        onUse(entry.good.principal);
        return entry.good.principal;
      }
      return lookUp(hash, place, text).then((principal) => {
        onUse(principal);
        return principal;
      });
    },
    tenantOf: (text) => entries.get(hashCredential(text).toString('latin1'))?.good.principal.tenantId,
    drop(changedId) {
      const dropped: string[] = [];
      entries.forEach(({ good }, place) => {
        if (changedId === '' || good.ids.includes(changedId)) dropped.push(place);
      });
      // Only now: the cache must not change while it is iterated.
      for (const place of dropped) entries.delete(place);
      lookUps.clear();
    },
  };
}
