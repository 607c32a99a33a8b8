import type { Env } from './env.ts';

/** Of the MCP servers of profiles: the only variables that `${…}` in these names, and none that an agent gets. */
export const isServerVariable = (name: string): boolean => /^MCP_\w+$/.test(name);

/** Of hosts of repositories: git and its helpers get them. */
export const isGitToken = (name: string): boolean =>
  /^(GH|GITHUB|GITLAB|GL|BITBUCKET|GITEA|FORGEJO|AZURE_DEVOPS|GIT)_((ENTERPRISE|ACCESS|EXT|JOB)_)?(TOKEN|PASSWORD|PAT)$/.test(
    name,
  ) || name === 'CI_JOB_TOKEN';

/** `env`: what agents and commands inherit. `gitEnv`: that, and tokens of git, for git itself. */
export type SplitEnv = Record<'env' | 'gitEnv' | 'serverEnv', Record<string, string | undefined>>;

/** The environment of the runner by who gets it. `passed`: tokens of git that agents and commands get as well. */
export function splitEnv(inherited: Env, passed: readonly string[]): SplitEnv {
  const pick = (isWanted: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(inherited).filter(([name]) => isWanted(name)));
  return {
    env: pick((name) => !isServerVariable(name) && (!isGitToken(name) || passed.includes(name))),
    gitEnv: pick((name) => !isServerVariable(name)),
    serverEnv: pick(isServerVariable),
  };
}
