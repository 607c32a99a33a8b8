import type { Env } from './env.ts';

/** Of the MCP servers of profiles: the only variables that `${…}` in these names, and none that an agent gets. */
export const isServerVariable = (name: string): boolean => /^MCP_\w+$/.test(name);

/** An environment without the variables of MCP servers, and these. */
export function splitServerEnv(env: Env): Record<'env' | 'serverEnv', Record<string, string | undefined>> {
  const pick = (isOfServers: boolean) =>
    Object.fromEntries(Object.entries(env).filter(([name]) => isServerVariable(name) === isOfServers));
  return { env: pick(false), serverEnv: pick(true) };
}
