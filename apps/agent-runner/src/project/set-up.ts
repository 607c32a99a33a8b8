import { join } from 'node:path';
import { readRepositoryUrl, type Repository } from '@eas/contracts';
import { runShell } from '../command/run-shell.ts';
import type { Clone } from '../git/clone.ts';
import { copyFiles } from '../git/copy-files.ts';
import type { Worktree } from '../git/worktree.ts';
import type { Log } from '../log.ts';
import { TaskFailure } from '../task-failure.ts';
import type { ProjectSettings } from './project-settings.ts';

type SetUpSettings = { settings: ProjectSettings; signal: AbortSignal; log: Log };
type SetUpParts = { name: string; repository: Repository; clone: Clone; worktree: Worktree };

/** Copies the files of `copy_files` into a new worktree, and runs the setup of the repository in it. */
export async function setUp(
  { settings, signal, log }: SetUpSettings,
  { name, repository, clone, worktree: { path } }: SetUpParts,
): Promise<void> {
  const { copy_files: patterns, setup: line, url } = repository;
  const read = readRepositoryUrl(url);
  if (patterns.length > 0) {
    const from = settings.copyFrom === undefined || !read.isValid ? undefined : join(settings.copyFrom, read.shortName);
    const excludeFile = join(clone.dir, 'info', 'exclude');
    const unmatched = from === undefined ? patterns : await copyFiles({ from, to: path, patterns, excludeFile });
    if (unmatched.length > 0) log(`${name}: no file to copy for ${unmatched.join(', ')} (--copy-from)`);
  }
  if (line === null) return;
  log(`${name}: setup`);
  const { env, setupSeconds, graceSeconds } = settings;
  const shell = { line, folder: path, env, graceSeconds, timeoutSeconds: setupSeconds, signal };
  const { code, signal: killedBy, isTimedOut, tail } = await runShell(shell);
  if (code === 0 && !isTimedOut) return;
  const how = isTimedOut ? `did not end within ${setupSeconds} s` : `failed: ${killedBy ?? `exit code ${code}`}`;
  throw new TaskFailure(`The setup of ${name} ${how}.\n${tail.slice(-1_500)}`, true);
}
