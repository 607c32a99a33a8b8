import type { Env } from './env.ts';

/** Shorter values would be found everywhere; longer ones are known by their beginning. */
const [minLength, maxLength] = [8, 8_192];
/** MCP_: what profiles take from the environment. */
const secretName = /KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIAL|^MCP_/i;
const urlPassword = /:\/\/[^\s:@/?#]*:([^\s/?#]+)@/g;

/** Values hidden from readers: the keys given, and what the environment calls a secret or has as a password in a URL. */
export function secretsIn(env: Env, keys: readonly string[]): string[] {
  const named = Object.entries(env).flatMap(([name, value]) => (secretName.test(name) && value ? [value] : []));
  const passwords = Object.values(env).flatMap((value = '') => passwordsIn(value));
  const lines = [...keys, ...named, ...passwords]
    .flatMap((value) => value.split('\n'))
    .map((line) => line.trim().slice(0, maxLength));
  // A longer one may contain a shorter one.
  return [...new Set(lines)].filter(({ length }) => length >= minLength).sort((a, b) => b.length - a.length);
}

/** Encoded as in the URL, and decoded. */
const passwordsIn = (value: string): string[] =>
  [...value.matchAll(urlPassword)].flatMap(([, password = '']) => [password, decoded(password)]);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export type Mask = ReturnType<typeof createMask>;

/** Hides secrets from readers. All of it takes time in proportion to the text. */
export function createMask(secrets: readonly string[]) {
  const longest = Math.max(1, ...secrets.map(({ length }) => length));
  const text = (said: string): string => secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), said);

  /** A masked text and what comes behind it: a secret may begin in the one and end in the other. */
  function join(before: string, part: string): string {
    const seam = Math.max(0, before.length - longest + 1);
    return before.slice(0, seam) + text(before.slice(seam) + part);
  }

  /** How much of the end of a text may be the beginning of a secret whose rest has not come yet. */
  function openEnd(said: string): number {
    let open = 0;
    for (const secret of secrets)
      for (let length = Math.min(secret.length - 1, said.length); length > open; length -= 1)
        if (said.endsWith(secret.slice(0, length))) open = length;
    return open;
  }

  /** A masked text, and its end apart that may be the beginning of a secret. */
  function split(said: string): [text: string, open: string] {
    const masked = text(said);
    const end = masked.length - openEnd(masked);
    return [masked.slice(0, end), masked.slice(end)];
  }

  /** A text that may have been cut within a secret. */
  function cutText(said: string): string {
    const [masked, open] = split(said);
    return masked + (open.length < minLength ? open : '***');
  }

  return { text, join, openEnd, split, all: <T>(value: T): T => withTexts(value, cutText) };
}

/** Names of values that are words or ids of a protocol. */
const wordNames = new Set([
  ...['kind', 'type', 'status', 'id', 'call_id', 'message_id'],
  ...['sessionUpdate', 'toolCallId', 'messageId'],
]);
/** JSON that is nested deeper is not read by a service or a person. */
const maxDepth = 1_000;

/** A JSON value with each of its texts changed, except words and ids. */
export const withTexts = <T>(value: T, change: (text: string) => string): T => changed(value, change, 0) as T;

function changed(value: unknown, change: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) return '***';
  if (Array.isArray(value)) return value.map((one) => changed(one, change, depth + 1));
  const pairs = Object.entries(value).map(([name, one]) => {
    const isWord = typeof one === 'string' && wordNames.has(name);
    return [name, isWord ? one : changed(one, change, depth + 1)];
  });
  return Object.fromEntries(pairs);
}
