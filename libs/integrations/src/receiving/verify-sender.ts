import { defaultTenantId } from '@eas/contracts';
import { AppError } from '@eas/core';
import { createShares } from './candidate-shares.ts';
import type { Candidate, Candidates } from './candidates.ts';
import { unsignedRef } from '../inbound/inbound-event.ts';
import { findSigner, parseSignature } from './signature.ts';

export type Sender = { tenantId: string; integrationRef: string };

export type LookUp = { in: Candidates; key: string };

export type SignedBody = {
  raw: Buffer;
  /** Hex digest as sent; undefined when the body is not signed. */
  signature: string | undefined;
  /** Tried one after the other. */
  lookUps: readonly LookUp[];
  takesUnsigned: boolean;
};

const unsigned: Sender = { tenantId: defaultTenantId, integrationRef: unsignedRef };

/** Throws forbidden for a signature that cannot verify whatever the body is: nothing of it needs to be read. */
export function requireSignature({ signature, takesUnsigned }: Omit<SignedBody, 'raw' | 'lookUps'>): void {
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
  if (signer) return { tenantId: signer.tenantId, integrationRef: signer.id };
  if (tried.size === 0 && takesUnsigned) return unsigned;
  throw wronglySigned();
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
    const shared = (await candidates[read](key)).filter(isAdmitted).filter(({ sealed }) => !tried.has(sealed));
    for (const { sealed } of shared) tried.add(sealed);
    const signer = digest && (await findSigner(shared, raw, digest));
    if (signer) return signer;
  }
  return undefined;
}
