import { hash } from 'node:crypto';

/** The stored hash of a credential: keys, tokens and links are too random to be guessed. */
export function hashCredential(text: string): Buffer<ArrayBuffer> {
  return hash('sha256', text, 'buffer');
}
