// `npm run release:contract`: keeps the contract as the one of the version in package.json; later changes are compared with it.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { acceptedFile, contractFile, releasedFolder, releaseFile, releases, repoFolder } from './releases.ts';

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
  for (const { file } of releases()) rmSync(file);
  rmSync(acceptedFile, { force: true });
  copyFileSync(contractFile, releaseFile(version));
  console.log(`${relative(repoFolder, releaseFile(version))} written; commit it, and tag the commit ${tag}.`);
}
