import { hash } from 'node:crypto';

/** What is stored of a credential's text: keys, tokens and links have too much chance in them to be guessed. */
export function hashCredential(text: string): Buffer<ArrayBuffer> {
  return hash('sha256', text, 'buffer');
}
