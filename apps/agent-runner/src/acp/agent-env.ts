import { withoutRepository } from '../git/git.ts';
import type { Env } from '../key/env.ts';

/** What the runner inherited from npm or got for itself, and what an agent takes for a sign that it runs inside of itself. */
const unwanted =
  /^(npm_.*|INIT_CWD|NODE_OPTIONS|NODE_COMPILE_CACHE|CLAUDECODE|CLAUDE_CODE_ENTRYPOINT|CLAUDE_CODE_SSE_PORT|API_KEY)$/i;

/** The environment of an agent: that of the runner, without what is not meant for it. */
export function agentEnv(inherited: Env, ...own: readonly Env[]): Env {
  const kept = Object.entries(inherited).filter(([name]) => !unwanted.test(name));
  return Object.assign(withoutRepository(Object.fromEntries(kept)), ...own) as Env;
}
