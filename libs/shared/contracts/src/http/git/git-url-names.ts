import { readRepositoryUrl, withoutSuffix } from './git-url.ts';

/** Longer ones are left out: names are kept in an index. */
const maxNameLength = 500;

/**
 * The names by which a task can mean a repository in `metadata.repository`: its address in any form, `owner/name`, or
 * the last part of it. In lower case.
 */
export function namesOfRepository(url: string): string[] {
  const read = readRepositoryUrl(url);
  if (!read.isValid) return [];
  const shortName = read.shortName.toLowerCase();
  const names = new Set([read.key, shortName, shortName.slice(shortName.lastIndexOf('/') + 1)]);
  return [...names].filter((name) => name.length <= maxNameLength);
}

/** The name by which `metadata.repository` of a task is looked up. Undefined: it names no repository. */
export function repositoryNameOf(metadata: Readonly<Record<string, unknown>>): string | undefined {
  const value = metadata['repository'];
  const text = typeof value === 'string' ? value.trim() : '';
  const read = readRepositoryUrl(text);
  const name = read.isValid ? read.key : withoutSuffix(text).toLowerCase();
  return name === '' || name.length > maxNameLength ? undefined : name;
}
