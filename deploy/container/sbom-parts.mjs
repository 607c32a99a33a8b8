// Components of the image other than its packages: libraries in the dashboard's files, the base image, and Node.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const IMPORTED = /^import (?!type )[^;']*'((?:@[^/']+\/)?[^/']+)[^']*'/gm;
const sources = 'apps/admin-dashboard/src/**/*.{ts,tsx}';

/** Names of packages that the dashboard's sources import. */
export function dashboardImports(root, manifest) {
  const files = globSync(sources, { cwd: root }).filter((file) => !/\.(spec|fixture)\.tsx?$/.test(file));
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8'));
  const names = texts.flatMap((text) => [...text.matchAll(IMPORTED)].map(([, name]) => name));
  const declared = { ...manifest.dependencies, ...manifest.devDependencies };
  return [...new Set(names)].filter((name) => name in declared).sort();
}

/** Where Node finds a package from another one: its path in the lock file. */
function pathOf(packages, name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[path] || folder === '') return packages[path] && path;
  }
}

/** The entries of these packages and of all that they need, as if production installed them; declarations do not run. */
export function runtimeEntries(packages, names) {
  const found = {};
  const visit = (name, from) => {
    const path = pathOf(packages, name, from);
    if (path === undefined || path in found) return;
    const {
      dev: _dev,
      devOptional: _both,
      peerDependencies = {},
      peerDependenciesMeta = {},
      ...entry
    } = packages[path];
    const needed = Object.entries(entry.dependencies ?? {}).filter(([one]) => !one.startsWith('@types/'));
    found[path] = { ...entry, dependencies: Object.fromEntries(needed) };
    const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional);
    for (const one of [...needed.map(([needs]) => needs), ...peers]) visit(one, path);
  };
  for (const name of names) visit(name, '');
  return found;
}

/** Both by their tags in the Dockerfile; Node by its whole version where that Node runs this, as it does in a build. */
export function baseParts(root) {
  const dockerfile = readFileSync(join(root, 'deploy/container/Dockerfile'), 'utf8');
  const images = [...dockerfile.matchAll(/^FROM (\S+):(\S+)/gm)].map(([, name, version]) => ({ name, version }));
  const tag = images.find(({ name }) => name === 'node').version.split('-')[0];
  const { node: running } = process.versions;
  const version = running.startsWith(`${tag}.`) ? running : tag;
  const base = images.at(-1);
  const cpe = `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`;
  return [
    { ...base, type: 'container', purl: `pkg:docker/${base.name}@${base.version}` },
    { name: 'nodejs', version, type: 'platform', purl: `pkg:generic/node@${version}`, cpe },
  ];
}
