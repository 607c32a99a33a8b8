import { defaultTenantId } from '@eas/contracts';
import { AppError } from '@eas/core';
import { maxCandidates } from './candidate.read-model.ts';
import type { Candidate, Candidates } from './candidates.ts';
import { unsignedRef } from '../inbound/inbound-event.ts';
import { findSigner } from './signature.ts';

/** On whose behalf a body is taken. */
export type Sender = { tenantId: string; integrationRef: string };

export type SignedBody = {
  raw: Buffer;
  /** Hex digest as sent; undefined when the body is not signed. */
  signature: string | undefined;
  /** What candidates are looked up by; null stands for all of them. */
  keys: readonly (string | null)[];
  /** Whether a body without a signature may be taken. */
  takesUnsigned: boolean;
};

const unsigned: Sender = { tenantId: defaultTenantId, integrationRef: unsignedRef };

/**
 * The integration whose secret made the signature, else AppError forbidden. Where unsigned bodies are taken, one that
 * is signed is still checked when an integration could have signed it.
 */
export async function verifySender(candidates: Candidates, body: SignedBody): Promise<Sender> {
  const { raw, signature, keys, takesUnsigned } = body;
  if (signature === undefined) {
    if (takesUnsigned) return unsigned;
    throw new AppError('forbidden', { message: 'The body is not signed.' });
  }
  const known = await collect(keys, candidates.cached);
  let signer = findSigner(known, raw, signature);
  if (signer) return senderOf(signer);
  const fresh = await collect(keys, candidates.fresh);
  signer = findSigner(fresh, raw, signature);
  if (signer) return senderOf(signer);
  if (fresh.length === 0 && takesUnsigned) return unsigned;
  throw new AppError('forbidden', { message: 'The signature does not fit.' });
}

const senderOf = ({ tenantId, id }: Candidate): Sender => ({ tenantId, integrationRef: id });

async function collect(
  keys: readonly (string | null)[],
  find: (key: string | null) => Promise<readonly Candidate[]>,
): Promise<readonly Candidate[]> {
  const [first, ...more] = keys;
  if (first === undefined) return [];
  if (more.length === 0) return find(first);
  const found = (await Promise.all(keys.map(find))).flat();
  return [...new Map(found.map((candidate) => [candidate.id, candidate])).values()].slice(0, maxCandidates);
}
