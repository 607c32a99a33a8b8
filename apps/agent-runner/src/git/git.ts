import { gitFailure } from './git-failure.ts';
import { type GitRun, runGit } from './run-git.ts';
import type { Env } from '../key/env.ts';

export type GitOptions = {
  cwd?: string;
  /** Settings of git for this call. */
  settings?: Readonly<Record<string, string>>;
  /** Added to the environment, such as GIT_DIR. */
  env?: Readonly<Record<string, string>>;
  /** Written to its stdin. */
  input?: string;
  /** More output than that is a failure, unless `mayBeCut`; 16 MiB. */
  maxBytes?: number;
  mayBeCut?: boolean;
  /** For calls that reach a remote or write many files; else 120. */
  timeoutSeconds?: number;
  /** Exit codes other than 0 that are results, not failures. */
  codes?: readonly number[];
};

export type GitOutput = GitRun & { code: number };

/** Calls git with a list of arguments. Throws TaskFailure, or what its signal aborts with. */
export type Git = (args: readonly string[], options?: GitOptions) => Promise<GitOutput>;

export type GitParts = {
  /** Environment of the runner's user: credentials and configuration of git are theirs. */
  env: Env;
  /** Ends the running call. */
  signal: AbortSignal;
};

/** What must not depend on the configuration of the machine or of a repository. */
const fixed = {
  'protocol.ext.allow': 'never',
  'core.fsmonitor': 'false',
  'core.quotePath': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'commit.gpgSign': 'false',
  'push.gpgSign': 'false',
  'push.followTags': 'false',
  'submodule.recurse': 'false',
  'fetch.recurseSubmodules': 'false',
  'push.recurseSubmodules': 'no',
  'credential.interactive': 'false',
};
const argsOf = (settings: Readonly<Record<string, string>>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** There is no terminal: a call that would prompt fails. */
const quietEnv = {
  GIT_TERMINAL_PROMPT: '0',
  GCM_INTERACTIVE: 'never',
  SSH_ASKPASS_REQUIRE: 'never',
  LC_ALL: 'C.UTF-8',
};
/** Set while git runs a program, they would make our calls work on another repository. */
const ofOtherCalls =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|CONFIG.*)$/;

/** The environment in which programs find no repository but the one that they are started in. */
export const withoutRepository = (env: GitParts['env']): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !ofOtherCalls.test(name)));

const defaultTimeoutSeconds = 120;

export function createGit({ env, signal }: GitParts): Git {
  const ownEnv = { ...withoutRepository(env), ...quietEnv };
  return async (args, options = {}) => {
    signal.throwIfAborted();
    const { codes = [], timeoutSeconds = defaultTimeoutSeconds } = options;
    const timeout = AbortSignal.timeout(timeoutSeconds * 1_000);
    const ending = AbortSignal.any([signal, timeout]);
    const settings = argsOf({ ...fixed, ...options.settings });
    const run = await runGit([...settings, ...args], { ...options, env: { ...ownEnv, ...options.env } }, ending);
    signal.throwIfAborted();
    const failed = (why: string) => gitFailure(args, why);
    if (timeout.aborted) throw failed(`it did not end within ${timeoutSeconds} s`);
    if (run.isCut && !options.mayBeCut) throw failed('it printed too much');
    if (run.code !== 0 && !run.isCut && !codes.includes(run.code ?? -1)) throw failed(run.stderr);
    return { ...run, code: run.code ?? -1 };
  };
}
