import type { KeyObject } from 'node:crypto';
import type { Clock, Logger, SecretBox } from '@eas/core';
import { createGatherer } from '@eas/db';
import { LRUCache } from 'lru-cache';
import type { CandidateRow } from './candidate.read-model.ts';
import { signingKey } from './signature.ts';

/** `sealed` distinguishes a secret from the one that it replaced. */
export type Candidate = { tenantId: string; id: string; sealed: string; key: KeyObject };

export type Candidates = {
  /** Candidates at most 2 s old. */
  cached(key: string): Promise<readonly Candidate[]>;
  /** Candidates read after the call: nobody is refused because of an old copy. */
  fresh(key: string): Promise<readonly Candidate[]>;
};

type Known = { at: number; candidates: readonly Candidate[] };

const freshMs = 2_000;
const maxKnownKeys = 10_000;

/** Keeps opened secrets for 2 s. Look-ups of one moment become one query; what does not exist is not remembered. */
export function createCandidates(
  find: (keys: readonly string[]) => Promise<CandidateRow[]>,
  { secrets, clock, logger }: { secrets: SecretBox; clock: Clock; logger: Logger },
): Candidates {
  const known = new LRUCache<string, Known>({ max: maxKnownKeys });

  function open({ tenantId, id, secret: sealed }: CandidateRow): Candidate[] {
    try {
      const plain = secrets.open(sealed, { tenantId, table: 'integrations', column: 'secret', rowId: id });
      return [{ tenantId, id, sealed, key: signingKey(plain) }];
    } catch (error) {
      logger.error({ err: error, integrationId: id }, 'integration secret not decryptable, refusing its webhooks');
      return [];
    }
  }

  const fresh = createGatherer<string, readonly Candidate[]>(
    async (keys) => {
      const at = clock.monotonicMs();
      const rows = await find([...new Set(keys)]);
      const found = Map.groupBy(rows.flatMap(withKey), ({ key }) => key);
      return keys.map((key) => {
        const candidates = (found.get(key) ?? []).map(({ candidate }) => candidate);
        if (candidates.length > 0) known.set(key, { at, candidates });
        else known.delete(key);
        return { ok: true, value: candidates };
      });
    },
    { max: 200, inFlight: 1 },
  );
  const withKey = (row: CandidateRow) => open(row).map((candidate) => ({ key: row.key, candidate }));

  return {
    fresh,
    async cached(key) {
      const one = known.get(key);
      return one && clock.monotonicMs() - one.at < freshMs ? one.candidates : fresh(key);
    },
  };
}
