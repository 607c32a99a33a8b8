import { timingSafeEqual } from 'node:crypto';

/** Compares two texts in a time that does not show where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
