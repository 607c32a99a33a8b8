import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A secret that is made once and kept in the data folder, readable by its owner alone. */
export function keepSecret(dataDir: string, name: string, make: () => string): { value: string; isNew: boolean } {
  const file = join(dataDir, name);
  if (existsSync(file)) return { value: readFileSync(file, 'utf8').trim(), isNew: false };
  const value = make();
  writeFileSync(file, `${value}\n`, { mode: 0o600, flag: 'wx' });
  return { value, isNew: true };
}

/** Whether there is such a secret. */
export const hasSecret = (dataDir: string, name: string): boolean => existsSync(join(dataDir, name));

/** Forgets a secret that is good for nothing any more. */
export const forgetSecret = (dataDir: string, name: string): void => rmSync(join(dataDir, name), { force: true });
