import type { Env } from '../key/env.ts';

/** Shorter values would be found everywhere. */
const minLength = 8;
const secretName = /KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIAL/i;

/** Values hidden from readers of a session: the keys given, and what the environment calls a secret. */
export function secretsIn(env: Env, keys: readonly string[]): string[] {
  const named = Object.entries(env).flatMap(([name, value]) => (secretName.test(name) && value ? [value] : []));
  const lines = [...keys, ...named].flatMap((value) => value.split('\n')).map((line) => line.trim());
  // A longer one may contain a shorter one.
  return [...new Set(lines)].filter(({ length }) => length >= minLength).sort((a, b) => b.length - a.length);
}

export const maskedBy =
  (secrets: readonly string[]) =>
  (text: string): string =>
    secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);

/** How much of the end of a text may be the beginning of a secret whose rest has not come yet. */
export function openEnd(text: string, secrets: readonly string[]): number {
  let longest = 0;
  for (const secret of secrets)
    for (let length = Math.min(secret.length - 1, text.length); length > longest; length -= 1)
      if (text.endsWith(secret.slice(0, length))) longest = length;
  return longest;
}
