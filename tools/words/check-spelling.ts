// Words are spelled right; cspell.config.yaml says in which files and by which dictionaries. A technical term or a name that no
// dictionary knows goes into cspell.words.txt. The canary is read along with all others: its words must be found.
import { lint } from 'cspell';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(import.meta.dirname, '../..');
const canary = 'tools/canary/misspelled.ts';
const silent = new Set(['recieve', 'seperate', 'lenght', 'behavior']); // cspell:disable-line
const problems: string[] = [];

const { files } = await lint(
  [],
  { root, config: resolve(root, 'cspell.config.yaml') },
  {
    issue: ({ uri = '', row, col, text }) => {
      const file = relative(root, fileURLToPath(uri));
      if (file !== canary || !silent.delete(text)) problems.push(`${file}:${row}:${col}: unknown word ${text}`);
    },
    error: (message, error) => {
      problems.push(`${message}: ${String(error)}`);
    },
  },
);
for (const word of silent) problems.push(`cspell stayed silent about ${word} in ${canary}`);

process.stdout.write(problems.map((line) => `${line}\n`).join(''));
process.stdout.write(`${files} files: ${problems.length} findings\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
