// The diffs of docs/cookbook.md apply to a copy of the sources as they are, and the copy type-checks.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { recipesOf } from './recipes.ts';

const root = resolve(import.meta.dirname, '../..');
const copy = mkdtempSync(join(tmpdir(), 'eas-cookbook-'));
const recipes = recipesOf(readFileSync(join(root, 'docs/cookbook.md'), 'utf8'));
const skipped = new Set(['node_modules', 'dist', 'tmp', 'test', '.data', 'docs/adr']);

function run(command: string, args: readonly string[], input?: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: copy, input, encoding: 'utf8' });
  return status === 0 ? '' : `${error?.message ?? ''}${stdout}${stderr}`;
}

/** Links of the workspace lead to the copy, all others to what is installed. */
function linkModules(): void {
  const modules = join(root, 'node_modules');
  for (const name of globSync(['[!@.]*', '@*/*'], { cwd: modules })) {
    mkdirSync(dirname(join(copy, 'node_modules', name)), { recursive: true });
    if (!name.startsWith('@eas/')) symlinkSync(join(modules, name), join(copy, 'node_modules', name));
  }
  for (const lib of globSync('libs/{*,shared/*}/package.json', { cwd: copy }))
    symlinkSync(dirname(join(copy, lib)), join(copy, 'node_modules/@eas', basename(dirname(lib))));
}

beforeAll(() => {
  for (const folder of ['apps', 'libs', 'prisma', 'package.json', 'tsconfig.base.json'])
    cpSync(join(root, folder), join(copy, folder), { recursive: true, filter: (path) => !skipped.has(basename(path)) });
  mkdirSync(join(copy, 'node_modules/@eas'), { recursive: true });
  linkModules();
  const include = ['apps/*/src/**/*.ts', 'libs/**/src/**/*.ts'];
  const exclude = ['**/node_modules', '**/*.spec.ts', '**/*.fuzz.ts', 'apps/admin-dashboard']; // a browser's page, with a project of its own
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify({ extends: './tsconfig.base.json', include, exclude }));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

it.each(recipes)('$title: the diff applies, and changes the stated number of files', ({ diff, ...recipe }) => {
  expect([recipe.added, recipe.changed]).toEqual([recipe.saidAdded, recipe.saidChanged]);
  expect(run('git', ['apply', '-C1', '--whitespace=nowarn'], diff)).toBe('');
});

it('type-checks with all diffs applied', () => {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  expect(run(process.execPath, [tsc, '-p', 'tsconfig.json', '--noEmit'])).toBe('');
});
