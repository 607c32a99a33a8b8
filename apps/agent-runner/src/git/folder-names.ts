import { createHash } from 'node:crypto';
import { readRepositoryUrl } from '@eas/contracts';

/** The last part of a repository's path, as a folder can be called. */
function nameOf(url: string): string {
  const read = readRepositoryUrl(url);
  const last = read.isValid ? (read.shortName.split('/').at(-1) ?? '') : '';
  return (
    last
      .replaceAll(/[^A-Za-z0-9._-]/g, '-')
      .replace(/^[-.]+/, '')
      .slice(0, 60) || 'repository'
  );
}

/** A folder name for each repository of a task; no two are the same, also where case does not count. */
export function folderNames(urls: readonly string[]): string[] {
  const taken = new Set<string>();
  return urls.map((url) => {
    const name = nameOf(url);
    let free = name;
    for (let count = 2; taken.has(free.toLowerCase()); count += 1) free = `${name}-${count}`;
    taken.add(free.toLowerCase());
    return free;
  });
}

/** The folder of the clone of a repository: one for each URL, since credentials depend on it. */
export function cloneFolder(url: string): string {
  return `${nameOf(url)}-${createHash('sha256').update(url).digest('hex').slice(0, 16)}.git`;
}
