// The texts that users and operators read are written as style-rules.ts says: error messages, log lines, descriptions of
// settings and metrics, pages, the contract, README and docs. A few words are refused in all code.
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Makers, makersIn, parse, textsIn } from './collect-texts.ts';
import { phrasesIn, problemsOf, wordsIn } from './style-rules.ts';

const root = resolve(import.meta.dirname, '../..');

const skipped = ['node_modules', 'generated', 'dist', 'tmp', '.data', '.nx', '.git', 'coverage'];
const files = globSync('**/*.{ts,tsx,mjs,prisma,md,eta}', {
  cwd: root,
  exclude: (name) => skipped.includes(name.split('/').at(-1) ?? name),
}).sort();
const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');
const findings: string[] = [];

const sources = files
  .filter((file) => /^(?:libs|apps)\/.*\.ts$/.test(file) && !/\.(?:spec|fixture)\.ts$|\/test\/|\/testing\//.test(file))
  .map((file) => ({ file, tree: parse(file, read(file)) }));
const makers: Makers = new Map(
  sources.flatMap(({ tree }) => [...makersIn(tree)]).filter(([, { isExported }]) => isExported),
);
let count = 0;
for (const { file, tree } of sources)
  for (const text of textsIn(tree, makers)) {
    if (text.kind !== 'plain') count += 1;
    for (const problem of problemsOf(text)) findings.push(`${file}:${text.line}: ${problem}: ${text.text}`);
  }

const code = files.filter((file) => /\.(?:tsx?|mjs|prisma)$/.test(file) && !file.startsWith('tools/words/'));
for (const file of code)
  for (const [index, line] of read(file).split('\n').entries())
    for (const problem of wordsIn(line)) findings.push(`${file}:${index + 1}: ${problem}`);

const prose = files.filter((file) => /\.(?:md|eta)$/.test(file) && !file.startsWith('CHANGELOG'));
for (const file of prose) {
  let isCode = false;
  for (const [index, line] of read(file).split('\n').entries()) {
    if (line.startsWith('```')) isCode = !isCode;
    if (isCode) continue;
    for (const problem of phrasesIn(line.replace(/`[^`]*`|\]\([^)]*\)/g, '')))
      findings.push(`${file}:${index + 1}: ${problem}`);
  }
}

collectContract(JSON.parse(read('docs/openapi.json')), []);

function collectContract(value: unknown, path: string[]): void {
  if (typeof value === 'string' && /^(?:description|summary|message)$/.test(path.at(-1) ?? '')) {
    for (const problem of phrasesIn(value)) findings.push(`docs/openapi.json ${path.join('.')}: ${problem}`);
  }
  if (value === null || typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value)) collectContract(inner, [...path, key]);
}

process.stdout.write(findings.map((line) => `${line}\n`).join(''));
process.stdout.write(
  `${count} messages in ${sources.length} files, words of ${code.length} files of code, ${prose.length} pages of prose: ${findings.length} findings\n`,
);
process.exitCode = findings.length === 0 ? 0 : 1;
