// Fails on a relative link in a Markdown file that leads to nothing: a missing file, or a heading that the file lacks.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { anchorsOf, linksOf } from './markdown/markdown-links.ts';

const root = resolve(import.meta.dirname, '..');
const IGNORED = ['node_modules', 'generated', 'dist', 'tmp', '.data', '.nx', '.git', 'coverage'];

function findingsOf(file: string): string[] {
  return linksOf(readFileSync(file, 'utf8')).flatMap((link) => {
    const [path = '', anchor] = link.split('#', 2);
    const target = path === '' ? file : resolve(dirname(file), decodeURI(path));
    const isThere = existsSync(target) && (!anchor || anchorsOf(readFileSync(target, 'utf8')).has(anchor));
    return isThere ? [] : [`${relative(root, file)}: ${link} leads to nothing`];
  });
}

const files = globSync('**/*.md', { cwd: root, exclude: (name) => IGNORED.includes(name.split('/').at(-1) ?? name) });
const findings = files.flatMap((file) => findingsOf(resolve(root, file)));
for (const finding of findings) console.error(finding);
console.log(`${files.length} Markdown files, ${findings.length} broken links`);
process.exitCode = findings.length === 0 && files.length > 0 ? 0 : 1;
