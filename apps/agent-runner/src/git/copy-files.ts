import { constants } from 'node:fs';
import { appendFile, copyFile, lstat, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { glob } from 'tinyglobby';
import { TaskFailure } from '../task-failure.ts';

type CopyParts = {
  /** The folder that has the files of this repository. */
  from: string;
  /** The worktree. */
  to: string;
  /** Relative paths or globs. */
  patterns: readonly string[];
  /** The file of git that lists what is never committed. */
  excludeFile: string;
};

const [maxFiles, maxBytes] = [1_000, 100 * 1024 * 1024];

/** Copies files that the repository does not have into a worktree, and keeps them out of commits. Gives the patterns without a file. */
export async function copyFiles({ from, to, patterns, excludeFile }: CopyParts): Promise<string[]> {
  const unmatched: string[] = [];
  const files = new Set<string>();
  for (const pattern of patterns) {
    const before = files.size;
    for (const path of await glob(pattern, { cwd: from, dot: true, expandDirectories: false })) files.add(path);
    if (files.size === before) unmatched.push(pattern);
  }
  if (files.size > maxFiles) throw new TaskFailure(`copy_files match more than ${maxFiles} files.`, false);
  await exclude(excludeFile, [...files]);
  let bytes = 0;
  for (const path of files) {
    bytes += (await stat(join(from, path))).size;
    if (bytes > maxBytes) throw new TaskFailure(`copy_files match more than ${maxBytes / 1024 ** 2} MiB.`, false);
    await copyOne({ from, to, path });
  }
  return unmatched;
}

async function copyOne({ from, to, path }: { from: string; to: string; path: string }): Promise<void> {
  await makeFolder(to, dirname(path));
  try {
    await copyFile(join(from, path), join(to, path), constants.COPYFILE_EXCL);
  } catch (error) {
    // What the repository has is not replaced.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** A link in the repository must not lead the copy out of the worktree. */
async function makeFolder(root: string, path: string): Promise<void> {
  let folder = root;
  for (const part of path.split('/').filter((name) => name !== '.')) {
    folder = join(folder, part);
    const found = await lstat(folder).catch(() => undefined);
    if (!found) await mkdir(folder);
    else if (!found.isDirectory() || part === '..')
      throw new TaskFailure(`copy_files: ${path} is no folder of the worktree.`, false);
  }
}

async function exclude(file: string, paths: readonly string[]): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const known = new Set(text.split('\n'));
  const lines = paths.map((path) => `/${path.replaceAll(/[\\*?[\]!#\s]/g, String.raw`\$&`)}`);
  const fresh = lines.filter((line) => !known.has(line));
  if (fresh.length === 0) return;
  await mkdir(dirname(file), { recursive: true });
  // Appended at once: other tasks of the clone may do the same.
  await appendFile(file, `${fresh.join('\n')}\n`);
}
