import { defaultTenantId } from '@eas/contracts';
import { AppError } from '@eas/core';
import { createShares } from './candidate-shares.ts';
import type { Candidate, Candidates } from './candidates.ts';
import { unsignedRef } from '../receipts/inbound-event.ts';
import type { Sightings } from './sightings.ts';
import { findSigner, parseSignature } from './signature.ts';

export type Sender = { tenantId: string; integrationRef: string };

/** `isOwnAddress`: the key is the id of the one integration that is meant. */
export type LookUp = { in: Candidates; key: string; isOwnAddress?: true };

export type SignedBody = {
  raw: Buffer;
  /** Hex digest as sent; undefined when the body is not signed. */
  signature: string | undefined;
  /** Tried one after the other. */
  lookUps: readonly LookUp[];
  takesUnsigned: boolean;
  sightings: Sightings;
};

const unsigned: Sender = { tenantId: defaultTenantId, integrationRef: unsignedRef };

/** Throws forbidden for a signature that cannot verify whatever the body is: nothing of it needs to be read. */
export function requireSignature({ signature, takesUnsigned }: Pick<SignedBody, 'signature' | 'takesUnsigned'>): void {
  if (takesUnsigned || parseSignature(signature)) return;
  throw signature === undefined ? notSigned() : wronglySigned();
}

const notSigned = () => new AppError('forbidden', { message: 'The signature header is required.' });
const wronglySigned = () =>
  new AppError('forbidden', { message: 'The signature is not valid for this body and secret.' });

/**
 * The integration whose secret made the signature, else AppError forbidden. Where unsigned bodies are taken, one that
 * is signed is still checked when an integration could have signed it.
 */
export async function verifySender(body: SignedBody): Promise<Sender> {
  const { signature, takesUnsigned } = body;
  requireSignature(body);
  if (signature === undefined) return unsigned;
  const tried = new Set<string>();
  const signer = (await findAmong(body, 'cached', tried)) ?? (await findAmong(body, 'fresh', tried));
  if (signer) {
    body.sightings.received(signer);
    return { tenantId: signer.tenantId, integrationRef: signer.id };
  }
  if (tried.size === 0 && takesUnsigned) return unsigned;
  await recordRefusal(body);
  throw wronglySigned();
}

/** At an address of its own it is known whose secret is wrong; elsewhere it could be anybody's. */
async function recordRefusal({ lookUps, sightings }: SignedBody): Promise<void> {
  const [own] = lookUps;
  if (!own?.isOwnAddress) return;
  for (const candidate of await own.in.cached(own.key)) sightings.refused(candidate);
}

/** Tries no secret twice, and of each tenant only its share. */
async function findAmong(
  { raw, signature, lookUps }: SignedBody,
  read: keyof Candidates,
  tried: Set<string>,
): Promise<Candidate | undefined> {
  const digest = parseSignature(signature);
  const isAdmitted = createShares();
  for (const { in: candidates, key } of lookUps) {
    const shared = (await candidates[read](key)).filter(isAdmitted);
    const untried = shared.flatMap((candidate) => candidate.secrets.map((secret) => ({ ...secret, candidate })));
    const keys = untried.filter(({ sealed }) => !tried.has(sealed));
    for (const { sealed } of keys) tried.add(sealed);
    const signer = digest && (await findSigner(keys, raw, digest));
    if (signer) return signer.candidate;
  }
  return undefined;
}
