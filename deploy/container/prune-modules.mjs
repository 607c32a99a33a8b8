// Removes from node_modules what never runs: declarations, source maps, pages of documentation, and Prisma's engines for other
// databases. What states a licence stays, whatever its ending; some packages state theirs in the readme alone.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const NEVER_RUN = /\.(map|d\.[cm]?ts)$/i;
const PAGE = /\.(md|markdown)$/i;
const LICENCE_NAME = /licence|license|notice|copying|copyright/i;
const LICENCE_TEXT = /permission is hereby granted|redistribution and use in source/i;
const PRISMA_RUNTIME = /@prisma\/client\/runtime\//;
const PRISMA_KEPT = /\/(client\.|query_compiler_fast_bg\.postgresql\.)[^/]+$/;

const isLicence = (file, name) => LICENCE_NAME.test(name) || LICENCE_TEXT.test(readFileSync(file, 'utf8'));

for (const entry of readdirSync('node_modules', { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const file = join(entry.parentPath, entry.name);
  const isForeignEngine = PRISMA_RUNTIME.test(file) && !PRISMA_KEPT.test(file);
  const isPage = PAGE.test(file) && !isLicence(file, entry.name);
  if (NEVER_RUN.test(file) || isForeignEngine || isPage) rmSync(file);
}
