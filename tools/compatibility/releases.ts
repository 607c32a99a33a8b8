// Contracts of releases: docs/released/openapi-v<version>.json. Older ones are in the tags of the repository.
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const repoFolder = resolve(import.meta.dirname, '../..');
export const contractFile = join(repoFolder, 'docs/openapi.json');
const releasedFolder = join(repoFolder, 'docs/released');
/** Breaks that were decided on since the last release: `{"<location>: <change>": "<reason>"}`. */
export const acceptedFile = join(releasedFolder, 'accepted-breaks.json');

export type Release = { version: string; file: string };
/** What processes of the release store: events, jobs, and the last migration. */
export const storedFile = (version: string): string => join(releasedFolder, `stored-v${version}.json`);
/** An example of each of them, as the release wrote it. */
export const examplesFile = (version: string): string => join(releasedFolder, `examples-v${version}.json`);
/** `{"<version>": "<commit>"}` of releases that have no tag. */
export const commitsFile = join(releasedFolder, 'commits.json');
export const releaseFile = (version: string): string => join(releasedFolder, `openapi-v${version}.json`);

const byVersion = ({ version: left }: Release, { version: right }: Release): number =>
  left.localeCompare(right, 'en', { numeric: true });

/** Oldest first. */
export function releases(): Release[] {
  const names = existsSync(releasedFolder) ? readdirSync(releasedFolder) : [];
  return names
    .flatMap((name) => /^openapi-v(\d+\.\d+\.\d+)\.json$/.exec(name)?.[1] ?? [])
    .map((version) => ({ version, file: releaseFile(version) }))
    .sort(byVersion);
}

export const lastRelease = (): Release | undefined => releases().at(-1);
