// Fails on what lint cannot see: projects without tags or without lint, misnamed files. Warns of folders with many files.
import { createProjectGraphAsync } from '@nx/devkit';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileFindings, folderWarnings, projectFindings } from './structure-rules.ts';

const root = resolve(import.meta.dirname, '..');
const IGNORED = ['node_modules', 'generated', 'dist', 'tmp', '.data', 'coverage'];

function sourceFiles(): string[] {
  const entries = globSync('{apps,libs,tools,bench,deploy,prisma}/**/*', {
    cwd: root,
    withFileTypes: true,
    exclude: (entry) => IGNORED.includes(entry.name),
  });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => resolve(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

/** A project with no source file yet has nothing to lint; from its first file on it must have the target. */
async function projects(files: readonly string[]): Promise<Parameters<typeof projectFindings>[0]> {
  const graph = await createProjectGraphAsync({ exitOnError: true });
  return Object.values(graph.nodes).map(({ name, data }) => ({
    name,
    root: data.root,
    tags: (data.tags ?? []).filter((tag) => !tag.startsWith('npm:')),
    hasLint:
      data.targets?.['lint'] !== undefined ||
      !files.some((file) => file.startsWith(`${data.root}/`) && file.endsWith('.ts')),
  }));
}

const files = sourceFiles();
const found = await projects(files);
const findings = [...projectFindings(found), ...fileFindings(files)];
for (const line of [...folderWarnings(files), ...findings]) console.error(line);
console.log(`${found.length} projects, ${files.length} files, ${findings.length} findings`);
process.exit(findings.length === 0 && found.length > 0 ? 0 : 1);
