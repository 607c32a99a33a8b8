import { join } from 'node:path';
import { z } from 'zod';
import { readKey } from '../key/read-key.ts';
import { configFolder, readJson, writeJson } from './config-folder.ts';
import { openKeyStore } from './key-store.ts';
import type { Env } from '../key/env.ts';

/** A service, and the key for it. `isKept`: by a login. */
export type Account = { url: string; apiKey: string; isKept?: boolean };

export type AccountOptions = { url?: string | undefined; keyFile?: string | undefined; keyFd?: number | undefined };

const localUrl = 'http://127.0.0.1:3000';
const urlShape = z.url({ protocol: /^https?$/ });
const settingsShape = z.looseObject({ url: z.string().optional() });

const settingsFile = (env: Env) => join(configFolder(env), 'config.json');
const readSettings = (env: Env) => settingsShape.parse(readJson(settingsFile(env)) ?? {});

/** The URL of the service: from the flag, the environment, the last login, or the one on this machine. */
export function serviceUrl({ url }: Pick<AccountOptions, 'url'>, env: Env): string {
  const wanted = url ?? env['BASE_URL'] ?? readSettings(env).url ?? localUrl;
  const read = urlShape.safeParse(wanted);
  if (!read.success) throw new Error(`${wanted} is not the address of a service: expected http:// or https://.`);
  return read.data.replace(/\/+$/, '');
}

/** The service and the key of the command line, of the environment, or of a login. Throws a sentence when there is none. */
export async function findAccount(options: AccountOptions, env: Env): Promise<Account> {
  const url = serviceUrl(options, env);
  const { keyFile: file, keyFd: fd } = options;
  const isGiven = file !== undefined || fd !== undefined || env['API_KEY'] !== undefined;
  const kept = isGiven ? undefined : (await openKeyStore(env)).read(url);
  if (kept !== undefined) return { url, apiKey: kept, isKept: true };
  const found = readKey({ file, fd, url, env });
  if ('refusal' in found) throw new Error(found.refusal);
  return { url, apiKey: found.key };
}

/** Stores the key and makes this service the default. Returns the location of the key. */
export async function keepAccount({ url, apiKey }: Account, env: Env): Promise<string> {
  const keys = await openKeyStore(env);
  keys.write(url, apiKey);
  writeJson(settingsFile(env), { ...readSettings(env), url });
  return keys.place;
}

/** Removes the key of a service. Returns whether there was one. */
export async function forgetAccount(url: string, env: Env): Promise<boolean> {
  const keys = await openKeyStore(env);
  if (keys.read(url) === undefined) return false;
  keys.remove(url);
  return true;
}
