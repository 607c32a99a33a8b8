// Prints the bill of materials of the image, in CycloneDX or SPDX: `npm run sbom -- [cyclonedx|spdx]`.
// npm leaves out with --omit=dev what development needs as well, so it gets a lock file of what the image has.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { baseParts, dashboardImports, runtimeEntries } from './sbom-parts.mjs';

const root = resolve(import.meta.dirname, '../..');
const [format = 'cyclonedx'] = process.argv.slice(2);
const { devDependencies, ...manifest } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const bundled = dashboardImports(root, { ...manifest, devDependencies });
const isInstalled = ({ dev, devOptional, optional }) => !dev && !devOptional && !optional;
manifest.dependencies = {
  ...Object.fromEntries(bundled.map((name) => [name, devDependencies[name]])),
  ...manifest.dependencies,
};
lock.packages = {
  ...runtimeEntries(lock.packages, bundled),
  ...Object.fromEntries(Object.entries(lock.packages).filter(([, entry]) => isInstalled(entry))),
};
delete lock.packages[''].devDependencies;
lock.packages[''].dependencies = manifest.dependencies;

const folder = mkdtempSync(join(tmpdir(), 'eas-sbom-'));
// npm names the root component after its folder.
const project = join(folder, manifest.name);
for (const file of globSync('{apps,libs}/**/package.json', { cwd: root, exclude: ['**/node_modules', '**/dist'] })) {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  cpSync(join(root, file), join(project, file));
}
writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
writeFileSync(join(project, 'package-lock.json'), JSON.stringify(lock));
const args = ['sbom', '--package-lock-only', `--sbom-format=${format}`, '--sbom-type=application'];
const { status, stdout, stderr } = spawnSync('npm', args, { cwd: project, encoding: 'utf8', maxBuffer: 1e9 });
rmSync(folder, { recursive: true, force: true });
if (status === 0) {
  const bill = JSON.parse(stdout);
  for (const part of baseParts(root)) (format === 'spdx' ? addToSpdx : addToCycloneDx)(bill, part);
  process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);
} else {
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
  process.exitCode = status ?? 1;
}

function addToCycloneDx(bill, part) {
  const ref = `${part.name}@${part.version}`;
  bill.components.push({ 'bom-ref': ref, ...part });
  bill.dependencies.find(({ ref: whole }) => whole === bill.metadata.component['bom-ref']).dependsOn.push(ref);
  bill.dependencies.push({ ref, dependsOn: [] });
}

function addToSpdx(bill, { name, version, type, purl, cpe }) {
  const id = `SPDXRef-Package-${name}-${version}`;
  const refs = [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl }];
  if (cpe) refs.push({ referenceCategory: 'SECURITY', referenceType: 'cpe23Type', referenceLocator: cpe });
  bill.packages.push({
    name,
    SPDXID: id,
    versionInfo: version,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false, // cspell:disable-line
    primaryPackagePurpose: type === 'container' ? 'CONTAINER' : 'APPLICATION',
    externalRefs: refs,
  });
  const [whole] = bill.documentDescribes;
  bill.relationships.push({ spdxElementId: whole, relatedSpdxElement: id, relationshipType: 'DEPENDS_ON' });
}
