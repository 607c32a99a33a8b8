import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { fileFindings, folderWarnings } from '../structure-rules.ts';
import { recipesOf } from './recipes.ts';

const edit = '--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\n';
const creation = '--- /dev/null\n+++ b/y.ts\n@@ -0,0 +1 @@\n+y\n';
const section = (title: string, said: string, ...diffs: string[]): string =>
  `## ${title}\n\n${said}\n\n${diffs.map((diff) => `\`\`\`diff\n${diff}\`\`\`\n`).join('\n')}\n`;

describe('recipesOf', () => {
  it('puts the diffs of a section together and counts their files', () => {
    expect(
      recipesOf(`# Page\n\n${section('A thing', '1 new file, 1 edit.', creation, edit)}## Words\n\nNone.\n`),
    ).toEqual([{ title: 'A thing', diff: creation + edit, added: 1, changed: 1, saidAdded: 1, saidChanged: 1 }]);
  });

  it('reads the stated number, right or wrong', () => {
    expect(recipesOf(section('A thing', 'no new file, 2 edits', edit))).toEqual([
      { title: 'A thing', diff: edit, added: 0, changed: 1, saidAdded: 0, saidChanged: 2 },
    ]);
  });

  it('refuses a section that does not say how many files it takes', () => {
    expect(() => recipesOf(section('A thing', 'A few files.', edit))).toThrow('A thing: no line');
  });
});

describe('the diffs of docs/cookbook.md', () => {
  const root = resolve(import.meta.dirname, '../..');
  const input = recipesOf(readFileSync(join(root, 'docs/cookbook.md'), 'utf8'))
    .map(({ diff }) => diff)
    .join('');

  it('apply to the sources as they are', () => {
    const { stderr } = spawnSync('git', ['apply', '--check', '-C1'], { cwd: root, input, encoding: 'utf8' });
    expect(stderr).toBe('');
  });

  it('add files to folders that have room for them', () => {
    const present = globSync('{apps,libs}/*/{src,*/src}/**/*.ts', { cwd: root, exclude: ['**/generated/**'] });
    const touched = [...input.matchAll(/^\+\+\+ b\/(.*)$/gm)].map(([, file = '']) => file);
    const files = [...new Set([...present, ...touched])];
    expect([...fileFindings(files), ...folderWarnings(files)]).toEqual([]);
  });
});
