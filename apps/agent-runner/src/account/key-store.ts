import { join } from 'node:path';
import { z } from 'zod';
import { configFolder, readJson, writeJson } from './config-folder.ts';
import type { Env } from '../key/env.ts';

/** Where keys are kept: each under a name. */
export type KeyStore = {
  /** For people: where it is. */
  place: string;
  read(name: string): string | undefined;
  write(name: string, key: string): void;
  remove(name: string): void;
};

/** The keyring of the system where it has one; else a file that only its user can read. `EAS_KEYS=file`: that file. */
export async function openKeyStore(env: Env): Promise<KeyStore> {
  const file = fileStore(env);
  if (env['EAS_KEYS'] === 'file') return file;
  return (await openKeyring()) ?? file;
}

const keysShape = z.record(z.string(), z.string());

function fileStore(env: Env): KeyStore {
  const place = join(configFolder(env), 'keys.json');
  const all = () => keysShape.parse(readJson(place) ?? {});
  return {
    place,
    read: (name) => all()[name],
    write: (name, key) => writeJson(place, { ...all(), [name]: key }),
    remove(name) {
      const { [name]: removed, ...rest } = all();
      if (removed !== undefined) writeJson(place, rest);
    },
  };
}

const service = 'eas';
/** Linux also has a keyring in kernel memory, whose content does not survive a restart. */
const durable = { linux: { store: 'secret-service' as const } };

/** Undefined: there is no keyring, or it is locked, as over SSH or in a container. */
async function openKeyring(): Promise<KeyStore | undefined> {
  try {
    const { Entry } = await import('@napi-rs/keyring');
    const entry = (name: string) => new Entry(service, name, durable);
    entry('probe').getPassword();
    return {
      place: 'the keyring of the system',
      read: (name) => entry(name).getPassword() ?? undefined,
      write: (name, key) => entry(name).setPassword(key),
      remove: (name) => void entry(name).deletePassword(),
    };
  } catch {
    return undefined;
  }
}
