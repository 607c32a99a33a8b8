// A package of this workspace as npm would publish it, in a folder of its own.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** Packs a copy of `source` and unpacks it to `node_modules/<name>` of `folder`; gives the path there. */
export function installPacked(name: string, source: string, folder: string, env: NodeJS.ProcessEnv): string {
  const copy = mkdtempSync(join(tmpdir(), 'eas-pack-'));
  const target = join(folder, 'node_modules', name);
  try {
    const isSource = (path: string): boolean => !/\/(node_modules|dist)$/.test(path);
    cpSync(join(root, source), copy, { recursive: true, filter: isSource });
    const path = [join(root, 'node_modules/.bin'), env['PATH']].join(delimiter);
    execFileSync('npm', ['pack', '--silent'], { cwd: copy, env: { PATH: path, HOME: env['HOME'] }, stdio: 'pipe' });
    const tarball = readdirSync(copy).find((file) => file.endsWith('.tgz'));
    mkdirSync(target, { recursive: true });
    execFileSync('tar', ['-xzf', join(copy, tarball ?? ''), '-C', target, '--strip-components=1'], { stdio: 'pipe' });
    return target;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
