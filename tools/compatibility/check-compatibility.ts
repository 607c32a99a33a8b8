// Compares the contract with the one of the last release, and fails when clients of that release would break.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { type AcceptedBreaks, describeBreaks, sortBreaks } from './breaks.ts';
import { compareContracts } from './compare-contracts.ts';
import type { OpenApi } from './document.ts';
import { acceptedFile, contractFile, lastRelease, repoFolder, storedFile } from './releases.ts';
import { comparePayloads, presentPayloads, type StoredPayloads } from './stored-payloads.ts';

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

const release = lastRelease();
const accepted = existsSync(acceptedFile) ? (read(acceptedFile) as AcceptedBreaks) : {};
const breaks = release
  ? [
      ...compareContracts(read(release.file) as OpenApi, read(contractFile) as OpenApi),
      ...comparePayloads(read(storedFile(release.version)) as StoredPayloads, presentPayloads()),
    ]
  : [];
const { refused, stale } = sortBreaks(breaks, accepted);
const acceptedName = relative(repoFolder, acceptedFile);

if (refused.length > 0)
  console.error(`The contract breaks clients of v${release?.version} in ${refused.length} places:

${describeBreaks(refused)}

/v1 only adds. To break clients on purpose, add the line after "- " to ${acceptedName} as a key with the reason
as its value, and announce it in CHANGELOG.md.`);
for (const name of stale) console.error(`${acceptedName} accepts what is not a break; remove the entry: ${name}`);

const counts = `${refused.length} breaking changes, ${breaks.length - refused.length} accepted`;
console.log(release ? `${counts} since v${release.version}` : 'no release to compare with: npm run release:contract');
process.exitCode = refused.length + stale.length > 0 ? 1 : 0;
