// `npm run release:contract`: keeps the contract as the one of the version in package.json; later changes are compared with it.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import prettier from 'prettier';
import {
  acceptedFile,
  contractFile,
  releasedFolder,
  releaseFile,
  releases,
  repoFolder,
  storedFile,
} from './releases.ts';
import { presentPayloads } from './stored-payloads.ts';

const { version } = JSON.parse(readFileSync(join(repoFolder, 'package.json'), 'utf8')) as { version: string };
const tag = `v${version}`;

function isTagged(): boolean {
  const { status, stdout } = spawnSync('git', ['tag', '--list', tag], { cwd: repoFolder, encoding: 'utf8' });
  return status === 0 && stdout.trim() === tag;
}

if (isTagged()) {
  console.error(`${tag} is released already: raise "version" in package.json first.`);
  process.exitCode = 1;
} else {
  mkdirSync(releasedFolder, { recursive: true });
  for (const { file, version: old } of releases())
    [file, storedFile(old)].forEach((one) => rmSync(one, { force: true }));
  rmSync(acceptedFile, { force: true });
  copyFileSync(contractFile, releaseFile(version));
  const options = await prettier.resolveConfig(storedFile(version));
  writeFileSync(
    storedFile(version),
    await prettier.format(JSON.stringify(presentPayloads()), { ...options, parser: 'json' }),
  );
  const written = [releaseFile(version), storedFile(version)].map((file) => relative(repoFolder, file));
  console.log(`${written.join(' and ')} written; commit them, and tag the commit ${tag}.`);
}
