// `npm ci` refuses a lock file in which an optional platform package is missing, and npm leaves one out when the registry it asks
// (a mirror, say) does not serve that platform. Fails on such gaps; with --fix it writes the entries (no integrity: npm fills it in
// where the package can be had). Fails as well when a lock file says which registry it was made with.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { lockGaps, registryEntries, withEntries, type LockPackages } from './lock/lock-gaps.ts';

const isFix = process.argv.includes('--fix');

/** The service's own, and those of what is installed for some tests alone. */
const lockFiles = [
  'package-lock.json',
  'tools/contract/package-lock.json',
  'tools/real-agents/demo/package-lock.json',
  'tools/real-agents/package-lock.json',
  'bench/peers/package-lock.json',
];
for (const name of lockFiles) {
  const file = resolve(import.meta.dirname, '..', name);
  const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: LockPackages };
  const gaps = lockGaps(lock.packages);
  const named = registryEntries(lock.packages);
  for (const path of named) console.error(`${name}: ${path} names a registry`);
  if (named.length > 0) process.exitCode = 1;
  if (isFix) {
    lock.packages = withEntries(lock.packages, gaps);
    writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
    console.log(`${gaps.length} entries added to ${name}`);
  } else {
    for (const gap of gaps) console.error(`${gap.name}, wanted by ${gap.wantedBy}, is not in ${name}`);
    console.log(`${gaps.length} gaps in ${name}${gaps.length > 0 ? ': npm run check:lock -- --fix' : ''}`);
    if (gaps.length > 0) process.exitCode = 1;
  }
}
