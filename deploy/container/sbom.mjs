// Prints the bill of materials of what the image installs, in CycloneDX or SPDX: `npm run sbom -- [cyclonedx|spdx]`.
// npm leaves out with --omit=dev what development needs as well, so it gets a lock file of production alone.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';

const root = resolve(import.meta.dirname, '../..');
const [format = 'cyclonedx'] = process.argv.slice(2);
const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const isInstalled = ({ dev, devOptional, optional }) => !dev && !devOptional && !optional;
lock.packages = Object.fromEntries(Object.entries(lock.packages).filter(([, entry]) => isInstalled(entry)));
delete lock.packages[''].devDependencies;

const folder = mkdtempSync(join(tmpdir(), 'eas-sbom-'));
// npm names the whole after its folder.
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
process.stdout.write(stdout ?? '');
if (status !== 0) process.stderr.write(stderr ?? '');
process.exitCode = status ?? 1;
