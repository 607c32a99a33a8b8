// What a release keeps in docs/released: written once, because later versions are compared with it.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { repoFolder } from './releases.ts';

/** By the paths of files. */
export type ReleaseFiles = Readonly<Record<string, string>>;

/** Why the files of a version must not be written, if they must not. */
export function refusalOf(tag: string, files: ReleaseFiles, isTagged: boolean): string | undefined {
  const paths = Object.keys(files);
  const changed = paths.filter((path) => existsSync(path) && readFileSync(path, 'utf8') !== files[path]);
  const first = changed[0] && relative(repoFolder, changed[0]);
  if (isTagged) return `${tag} is released already: raise "version" in package.json first.`;
  if (first) return `${first} is stored already and would change: raise "version" in package.json first.`;
  return undefined;
}

/** Replaces the files of older versions. */
export function writeReleaseFiles(files: ReleaseFiles, older: readonly string[]): void {
  for (const path of older) rmSync(path, { force: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
