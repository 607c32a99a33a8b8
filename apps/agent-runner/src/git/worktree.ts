import type { Git } from './git.ts';

/** The files of one repository for one task. */
export type Worktree = {
  path: string;
  branch: string;
  base: string;
  /** What git knows of it, in the clone: whatever is done to the `.git` below the path. */
  gitDir: string;
  git: Git;
};
