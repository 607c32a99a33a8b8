import type { Env } from '../key/env.ts';

/** How the runner treats the repositories of projects. */
export type ProjectSettings = {
  /** Environment of setup commands and of checks. */
  env: Env;
  /** Environment of git: with tokens of its hosts. */
  gitEnv: Env;
  /** The variables that MCP servers of profiles are called with. */
  serverEnv: Env;
  /** Folder with the files that projects want copied: OWNER/NAME below it for each repository. */
  copyFrom: string | undefined;
  /** Longest setup of a new worktree, and longest call that reaches a remote. */
  setupSeconds: number;
  remoteSeconds: number;
  graceSeconds: number;
  maxFileBytes: number;
  /** Whether branches are pushed. */
  pushes: boolean;
  /** How often an agent is sent back to its work in one attempt. */
  maxRounds: number;
};
