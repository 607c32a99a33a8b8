// Writes docs/adr/README.md, the index of decision records by module. Fails on a record without title, status or module.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { indexOf, readDecision } from './decisions/decision-index.ts';

const root = resolve(import.meta.dirname, '..');
const folder = resolve(root, 'docs/adr');

const namesIn = (pattern: string): string[] =>
  globSync(`${pattern}/README.md`, { cwd: root })
    .map((path) => path.slice(0, -'/README.md'.length))
    .sort();
const modules = [
  ...namesIn('libs/*').map((path) => path.slice('libs/'.length)),
  ...namesIn('libs/shared/*').map((path) => path.slice('libs/'.length)),
  ...namesIn('apps/*').map((path) => path.slice('apps/'.length)),
  'deploy',
  'tools',
];
const decisions = globSync('[0-9]*.md', { cwd: folder })
  .sort()
  .map((file) => readDecision(file, readFileSync(resolve(folder, file), 'utf8'), modules));
const text = `<!-- Made by tools/print-decisions.ts from the first lines of the records; do not edit. -->

# Decisions

A record says for one subject what was decided and why. A new decision changes the record of its subject; the history of
a record is in git, and measurements are in the \`NOTES.md\` of the module. There are 30 records at most. A record begins
with \`# <number>. <title>\`, an empty line, and \`Status: <proposed | accepted | superseded | rejected> · Module:
<module>\`; then run \`node tools/print-decisions.ts\`.

${indexOf(decisions, modules)}`;
writeFileSync(resolve(folder, 'README.md'), text);
