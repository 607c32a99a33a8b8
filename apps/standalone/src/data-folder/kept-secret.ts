import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeToFolder } from './prepare-folder.ts';

/** A secret that is made once and kept in the data folder, readable by its owner alone. */
export function keepSecret(dataDir: string, name: string, make: () => string): { value: string; isNew: boolean } {
  const file = join(dataDir, name);
  if (existsSync(file)) return { value: readFileSync(file, 'utf8').trim(), isNew: false };
  const value = make();
  writeToFolder(dataDir, name, `${value}\n`, { isNew: true });
  return { value, isNew: true };
}

export const hasSecret = (dataDir: string, name: string): boolean => existsSync(join(dataDir, name));

export const forgetSecret = (dataDir: string, name: string): void => rmSync(join(dataDir, name), { force: true });
