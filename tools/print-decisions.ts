// Writes docs/adr/README.md, the index of decision records by room. Fails on a record without title, status or room.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { indexOf, readDecision } from './decisions/decision-index.ts';

const root = resolve(import.meta.dirname, '..');
const folder = resolve(root, 'docs/adr');

const UNUSED = { 32: 'never used. 31 and 33 were written at the same time and the number between them stayed free.' };

const namesIn = (pattern: string): string[] =>
  globSync(`${pattern}/README.md`, { cwd: root })
    .map((path) => path.slice(0, -'/README.md'.length))
    .sort();
const rooms = [
  ...namesIn('libs/*').map((path) => path.slice('libs/'.length)),
  ...namesIn('libs/shared/*').map((path) => path.slice('libs/'.length)),
  ...namesIn('apps/*').map((path) => path.slice('apps/'.length)),
  'deploy',
  'tools',
];
const decisions = globSync('[0-9]*.md', { cwd: folder })
  .sort()
  .map((file) => readDecision(file, readFileSync(resolve(folder, file), 'utf8'), rooms));
const text = `<!-- Made by tools/print-decisions.ts from the first lines of the records; do not edit. -->

# Decisions

A record says why something is as it is: context, decision, consequences. It is not rewritten when the code moves on; a
later record changes or replaces it, and its status says so. A new record begins with \`# <number>. <title>\`, an empty
line, and \`Status: <proposed | accepted | superseded | rejected> · Room: <room>\`; then run
\`node tools/print-decisions.ts\`.

${indexOf(decisions, rooms, UNUSED)}`;
writeFileSync(resolve(folder, 'README.md'), text);
