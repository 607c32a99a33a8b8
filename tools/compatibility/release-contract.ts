// `npm run release:contract`: keeps the contract as the one of the version in package.json; later changes are compared with it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import prettier from 'prettier';
import { refusalOf, type ReleaseFiles, writeReleaseFiles } from './release-files.ts';
import { acceptedFile, contractFile, examplesFile, releaseFile, releases, repoFolder, storedFile } from './releases.ts';
import { presentExamples } from './stored-examples.ts';
import { presentPayloads } from './stored-payloads.ts';

const { version } = JSON.parse(readFileSync(join(repoFolder, 'package.json'), 'utf8')) as { version: string };
const tag = `v${version}`;

function isTagged(): boolean {
  const { status, stdout } = spawnSync('git', ['tag', '--list', tag], { cwd: repoFolder, encoding: 'utf8' });
  return status === 0 && stdout.trim() === tag;
}

async function asJson(content: object): Promise<string> {
  const options = await prettier.resolveConfig(contractFile);
  return prettier.format(JSON.stringify(content), { ...options, parser: 'json' });
}

const files: ReleaseFiles = {
  [releaseFile(version)]: readFileSync(contractFile, 'utf8'),
  [storedFile(version)]: await asJson(presentPayloads()),
  [examplesFile(version)]: await asJson(presentExamples()),
};
const refusal = refusalOf(tag, files, isTagged());

if (refusal) {
  console.error(refusal);
  process.exitCode = 1;
} else {
  const older = releases().flatMap(({ file, version: old }) => [file, storedFile(old), examplesFile(old)]);
  writeReleaseFiles(files, [...older, acceptedFile]);
  const written = Object.keys(files).map((file) => relative(repoFolder, file));
  console.log(`${written.join(', ')} written; commit them, and tag the commit ${tag}.`);
}
