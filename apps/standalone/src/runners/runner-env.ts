import { fileVariable } from '@eas/runtime';

type Env = Readonly<Record<string, string | undefined>>;

/** What clients of Postgres and of the service read in addition to the settings. */
const credentials = /^(PG\w*|API_KEY)$/;

/**
 * The environment of a runner, and so of its coding agent: that of `npm start` without the settings of the service. An
 * agent must not read its secrets, and a service that the agent itself starts must not use its database and ports.
 */
export function runnerEnv(inherited: Env, serviceVariables: readonly string[]): Env {
  const ofService = new Set(serviceVariables.flatMap((name) => [name, fileVariable(name)]));
  return Object.fromEntries(
    Object.entries(inherited).filter(([name]) => !ofService.has(name) && !credentials.test(name)),
  );
}
