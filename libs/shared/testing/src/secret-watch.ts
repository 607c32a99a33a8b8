import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '@eas/core';
import { createLogger } from '@eas/runtime';

/** Shorter values are words, which logs may have for another reason. */
const minLength = 12;
/** Fields that hold secrets wherever they are, in bodies and forms. */
const secretFields = new Set([
  'secret',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'client_secret',
  'signing_secret',
  'webhook_url',
  'code_verifier',
  'csrf_token',
]);
const secretHeaders = new Set(['x-api-key', 'authorization', 'cookie']);

const logged: string[] = [];
/** Where each value was seen. */
const secrets = new Map<string, string>();
let isOn = false;
/** Once a process: the files that it runs share `fetch`. */
let isPatched = false;

const recorder = createLogger({
  name: 'test',
  level: 'debug',
  destination: { write: (line) => void logged.push(line) },
});

/** Prints nothing. While secrets are watched, its lines are recorded like the log of a process. */
export const silentLogger: Logger = {
  error: (...parts) => void (isOn && recorder.error(...parts)),
  warn: (...parts) => void (isOn && recorder.warn(...parts)),
  info: (...parts) => void (isOn && recorder.info(...parts)),
  debug: (...parts) => void (isOn && recorder.debug(...parts)),
};

/** Throws when the processes of a system have logged a secret. */
export function refuseSecretsIn(dataDir: string): void {
  const folder = join(dataDir, 'logs');
  refuseSecrets(...readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8')));
}

/** The first key and the link for the first administrator are printed for the person who starts a system. */
const meantForOperators = /^(api key|admin) \S+.*$/gm;

/** Throws when a process has logged or printed a secret. */
export function refuseSecrets(...outputs: string[]): void {
  const names = secretsIn(outputs.map((output) => output.replace(meantForOperators, '')));
  if (names.length > 0) throw new Error(`secrets are in the logs: ${names.join(', ')}`);
}

const secretSettings = ['ENCRYPTION_KEY', 'BOOTSTRAP_API_KEY', 'ADMIN_PASSWORD'] as const;
const addressSettings = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'MIGRATE_DATABASE_URL', 'REDIS_URL'] as const;

/** The secrets among the settings that a process is started with. */
export function noteSettings(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of secretSettings) noteSecret(name, env[name]);
  for (const name of addressSettings)
    for (const address of env[name]?.split(',') ?? [])
      if (URL.canParse(address)) noteSecret(`password of ${name}`, new URL(address).password);
  noteBody(env['BOOTSTRAP_OAUTH_CLIENT']);
}

export function noteSecret(name: string, value: unknown): void {
  if (typeof value === 'string' && value.length >= minLength) secrets.set(value, name);
}

/** From now on records each secret in a request or response; earlier ones are dropped. */
export function watchSecrets(): void {
  secrets.clear();
  logged.length = 0;
  if (!isPatched) patchFetch();
  isPatched = true;
  isOn = true;
}

/** Logs are no longer read. The log of a running system can still be checked. */
export function endSecretWatch(): void {
  isOn = false;
}

function patchFetch(): void {
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    noteRequest(init);
    const response = await fetch(input, init);
    for (const cookie of response.headers.getSetCookie()) noteCookies('set-cookie', cookie.split(';', 1)[0] ?? '');
    return response;
  };
  const responses: Record<'text' | 'json', () => Promise<unknown>> = Response.prototype;
  for (const name of ['text', 'json'] as const) {
    const read = responses[name];
    responses[name] = async function (this: Response) {
      const body = await read.call(this);
      noteBody(body);
      return body;
    };
  }
}

/** Secrets in lines of `silentLogger`. */
export const loggedSecrets = (): string[] => secretsIn(logged);

function secretsIn(texts: readonly string[]): string[] {
  const all = texts.join('\n');
  return [...secrets].filter(([value]) => all.includes(value)).map(([value, name]) => `${name} ${value}`);
}

function noteRequest({ headers, body }: RequestInit = {}): void {
  for (const [name, value] of new Headers(headers)) {
    if (name === 'cookie') noteCookies(name, value);
    else if (secretHeaders.has(name)) noteCredentials(name, value);
  }
  if (body instanceof URLSearchParams) noteFields(Object.fromEntries(body));
  else noteBody(body);
}

function noteCredentials(name: string, value: string): void {
  const credentials = value.replace(/^(Bearer|Basic) /i, '');
  noteSecret(name, credentials);
  if (!/^Basic /i.test(value)) return;
  const password = Buffer.from(credentials, 'base64')
    .toString()
    .replace(/^[^:]*:/, '');
  noteSecret(`password of ${name}`, decodeURIComponent(password));
}

function noteCookies(name: string, cookies: string): void {
  for (const cookie of cookies.split(/; */))
    noteSecret(`${name} ${cookie.split('=', 1)[0]}`, cookie.replace(/^[^=]*=/, ''));
}

function noteBody(body: unknown): void {
  if (typeof body === 'object') return noteFields(body);
  if (typeof body !== 'string') return;
  if (/^[[{]/.test(body)) {
    try {
      noteFields(JSON.parse(body));
    } catch {
      // Broken on purpose, or no JSON.
    }
  } else if (/^[\w%.+-]+=/.test(body)) noteFields(Object.fromEntries(new URLSearchParams(body)));
}

function noteFields(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    // Keys of agents and clients; many other things are called a key.
    if (secretFields.has(name) || (name === 'key' && /^eas_/.test(String(inner)))) noteSecret(name, inner);
    noteFields(inner);
  }
}
