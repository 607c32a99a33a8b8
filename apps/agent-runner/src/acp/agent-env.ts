import { withoutRepository } from '../git/git.ts';
import type { Env } from '../key/env.ts';

/** Variables of npm and of the runner, and those by which an agent detects that it runs inside itself. */
const unwanted =
  /^(npm_.*|INIT_CWD|NODE_OPTIONS|NODE_COMPILE_CACHE|CLAUDECODE|CLAUDE_CODE_ENTRYPOINT|CLAUDE_CODE_SSE_PORT|API_KEY)$/i;

/** The environment of an agent: that of the runner, without these variables. */
export function agentEnv(inherited: Env, ...own: readonly Env[]): Env {
  const kept = Object.entries(inherited).filter(([name]) => !unwanted.test(name));
  return Object.assign(withoutRepository(Object.fromEntries(kept)), ...own) as Env;
}
