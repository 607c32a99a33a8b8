// `npm ci` refuses a lock file in which an optional platform package is missing, and npm leaves one out when the registry it asks
// (a mirror, say) does not serve that platform. Fails on such gaps; with --fix it writes the entries (no integrity: npm fills it in
// where the package can be had).
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { lockGaps, withEntries, type LockPackages } from './lock-gaps.ts';

const file = resolve(import.meta.dirname, '..', 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: LockPackages };
const gaps = lockGaps(lock.packages);

if (process.argv.includes('--fix')) {
  lock.packages = withEntries(lock.packages, gaps);
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`${gaps.length} entries added to package-lock.json`);
} else {
  for (const { name, wantedBy } of gaps) console.error(`${name}, wanted by ${wantedBy}, is not in package-lock.json`);
  console.log(`${gaps.length} gaps in package-lock.json${gaps.length > 0 ? ': npm run check:lock -- --fix' : ''}`);
  process.exitCode = gaps.length === 0 ? 0 : 1;
}
