// `npm run update:presets [registry file or URL]`: pins the versions of coding agents that the public registry has, where they are
// newer. What they do has to be tried then: npm run test:real-agents.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import prettier from 'prettier';
import { compareWithRegistry, type Pin, registryUrl } from './registry.ts';

const folder = import.meta.dirname;
const pinsFile = resolve(folder, '../../apps/agent-runner/src/presets/pins.json');
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as never;

async function writeJson(file: string, value: unknown): Promise<void> {
  const options = { ...(await prettier.resolveConfig(file)), filepath: file };
  writeFileSync(file, await prettier.format(JSON.stringify(value), options));
}

const readRegistry = (source: string): Promise<string> | string =>
  existsSync(source) ? readFileSync(source, 'utf8') : fetch(source).then((response) => response.text());

/** The lock file of tools/real-agents is made again, and says what the packages must be. */
function pinned(names: Readonly<Record<string, Pin>>): Record<string, Pin> {
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--loglevel=error'], { cwd: folder });
  const lock: { packages: Record<string, Pin> } = readJson(join(folder, 'package-lock.json'));
  return Object.fromEntries(
    Object.entries(names).map(([id, { name }]) => {
      const { version, integrity } = lock.packages[`node_modules/${name}`] ?? { version: '', integrity: '' };
      return [id, { name, version, integrity }];
    }),
  );
}

async function main(source = registryUrl): Promise<void> {
  const pins: Record<string, Pin> = readJson(pinsFile);
  const compared = compareWithRegistry(await readRegistry(source), pins);
  for (const { id, why } of compared) console.log(`${id}: ${why}`);
  const newer = compared.filter((one) => one.newer !== undefined);
  if (newer.length === 0) return;
  const manifestFile = join(folder, 'package.json');
  const manifest: { dependencies: Record<string, string> } = readJson(manifestFile);
  for (const { id, newer: version = '' } of newer) manifest.dependencies[pins[id]?.name ?? ''] = version;
  await writeJson(manifestFile, manifest);
  await writeJson(pinsFile, pinned(pins));
  console.log('Now: npm run check -- lock, npm run test:real-agents, and the table in docs/services/agent-runner.md.');
}

await main(...process.argv.slice(2));
