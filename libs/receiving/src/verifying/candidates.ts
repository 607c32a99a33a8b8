import type { KeyObject } from 'node:crypto';
import type { Clock, Logger, SealedCell, SecretBox } from '@eas/core';
import { createGatherer } from '@eas/db';
import { LRUCache } from 'lru-cache';
import { secretCell } from '@eas/integrations';
import type { CandidateRow } from './candidate.read-model.ts';
import { signingKey } from './signature.ts';

/** `sealed` distinguishes a secret from the one that it replaced. */
type Secret = { sealed: string; key: KeyObject };
/** Its secret first, then the one before while it is valid. */
export type Candidate = { tenantId: string; id: string; secrets: readonly Secret[] };

export type Candidates = {
  /** Candidates at most 2 s old. */
  cached(key: string): Promise<readonly Candidate[]>;
  /** Candidates read after the call: no call is refused because of an old copy. */
  fresh(key: string): Promise<readonly Candidate[]>;
};

type Known = { at: number; candidates: readonly Candidate[] };

const freshMs = 2_000;
const maxKnownKeys = 10_000;

/** Keeps opened secrets of `column` for 2 s. Look-ups of one moment become one query; what does not exist is not remembered. */
export function createCandidates(
  find: (keys: readonly string[]) => Promise<CandidateRow[]>,
  { secrets, clock, logger }: { secrets: SecretBox; clock: Clock; logger: Logger },
  column: 'secret' | 'signing_secret' = 'secret',
): Candidates {
  const known = new LRUCache<string, Known>({ max: maxKnownKeys });

  function open({ tenantId, id, secret, previousSecret }: CandidateRow): Candidate {
    const present = openOne(secret, secretCell(tenantId, id, column));
    const previous = openOne(previousSecret, secretCell(tenantId, id, 'previous_secret'));
    return { tenantId, id, secrets: [...present, ...previous] };
  }

  function openOne(sealed: string | null, cell: SealedCell): Secret[] {
    if (sealed === null) return [];
    try {
      return [{ sealed, key: signingKey(secrets.open(sealed, cell)) }];
    } catch (error) {
      logger.error(
        { err: error, integrationId: cell.rowId },
        'integration secret not decryptable, refusing its webhooks',
      );
      return [];
    }
  }

  const fresh = createGatherer<string, readonly Candidate[]>(
    async (keys) => {
      const at = clock.monotonicMs();
      const rows = await find([...new Set(keys)]);
      const found = Map.groupBy(rows.map(withKey), ({ key }) => key);
      return keys.map((key) => {
        const candidates = (found.get(key) ?? []).map(({ candidate }) => candidate);
        if (candidates.length > 0) known.set(key, { at, candidates });
        else known.delete(key);
        return { ok: true, value: candidates };
      });
    },
    { max: 200, inFlight: 1 },
  );
  const withKey = (row: CandidateRow) => ({ key: row.key, candidate: open(row) });

  return {
    fresh,
    async cached(key) {
      const one = known.get(key);
      return one && clock.monotonicMs() - one.at < freshMs ? one.candidates : fresh(key);
    },
  };
}
