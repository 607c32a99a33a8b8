import { closeSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLoopback } from '@eas/contracts';

export type KeySource = {
  file: string | undefined;
  fd: number | undefined;
  url: string;
  env: NodeJS.ProcessEnv;
};

/** The API key, or a sentence that says why there is none: from a file, a descriptor, API_KEY, or the local system. */
export function readKey({ file, fd, url, env }: KeySource): { key: string } | { refusal: string } {
  // The descriptor is read in any case: no secret may stay behind it.
  const handed = fd === undefined ? undefined : attempt(`--key-fd ${fd}`, () => takeFrom(fd));
  const found =
    (file === undefined ? undefined : attempt('--key-file', () => readFileSync(file, 'utf8'))) ??
    handed ??
    (env['API_KEY'] === undefined ? ofLocalSystem(url, env) : { text: env['API_KEY'] });
  if ('refusal' in found) return found;
  return keyIn(found.text);
}

/** The key that a text consists of, or a sentence. */
export function keyIn(text: string): { key: string } | { refusal: string } {
  const key = text.trim();
  return /^[\x21-\x7e]{1,200}$/.test(key)
    ? { key }
    : { refusal: 'The API key is not valid: expected 1 to 200 visible ASCII characters.' };
}

/** The key that `npm start` made and keeps. It is not sent to another machine. */
function ofLocalSystem(url: string, env: NodeJS.ProcessEnv): { text: string } | { refusal: string } {
  const file = join(env['DATA_DIR'] ?? '.data', 'first-api-key');
  if (isLoopback(new URL(url).hostname)) {
    const found = attempt('', () => readFileSync(file, 'utf8'));
    if ('text' in found) return found;
  }
  return {
    refusal: `An API key is required: run eas login, use --key-file, or set API_KEY (no ${file} found for ${url}).`,
  };
}

function takeFrom(fd: number): string {
  const text = readFileSync(fd, 'utf8');
  if (fd > 2) closeSync(fd);
  return text;
}

function attempt(what: string, read: () => string): { text: string } | { refusal: string } {
  try {
    return { text: read() };
  } catch (error) {
    return { refusal: `${what}: ${(error as Error).message}` };
  }
}
