// Removes from node_modules what never runs: declarations, source maps, and Prisma's engines for other databases.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const NEVER_RUN = /\.(map|md|markdown|d\.[cm]?ts)$/i;
const PRISMA_RUNTIME = /@prisma\/client\/runtime\//;
const PRISMA_KEPT = /\/(client\.|query_compiler_fast_bg\.postgresql\.)[^/]+$/;

for (const entry of readdirSync('node_modules', { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const file = join(entry.parentPath, entry.name);
  const isForeignEngine = PRISMA_RUNTIME.test(file) && !PRISMA_KEPT.test(file);
  if (NEVER_RUN.test(file) || isForeignEngine) rmSync(file);
}
