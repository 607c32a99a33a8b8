import { createHash } from 'node:crypto';

/** A short digest of some texts: the same for the same texts alone. */
export function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
