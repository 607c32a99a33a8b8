import { newId } from '@eas/core';
import type { Tx } from '@eas/db';
import { hashCredential } from '../rules/hash-credential.ts';
import { linkEnd } from './access-link.ts';
import { insertLink } from './access-link.store.ts';
import { generateToken } from './session.ts';

/** Creates a one-time link; returns its token, which is not stored. */
export async function issueLink(
  tx: Tx,
  link: { purpose: 'first_admin'; userId: null } | { purpose: 'set_password'; userId: string },
  at: Date,
): Promise<{ id: string; token: string }> {
  const token = generateToken();
  const id = newId('accessLink');
  await insertLink(tx, { ...link, id, tokenHash: hashCredential(token), expiresAt: linkEnd(at) });
  return { id, token };
}
