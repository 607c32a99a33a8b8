import type { ProfileResource } from '@eas/contracts';
import type { Env } from '../key/env.ts';
import { TaskFailure } from '../task-failure.ts';

type Pair = { name: string; value: string };
/** A server as the Agent Client Protocol names it; without `type` it is a program. */
export type McpServer =
  | { type: 'http' | 'sse'; name: string; url: string; headers: Pair[] }
  | { name: string; command: string; args: string[]; env: Pair[] };

/** The servers of a profile, with the variables of the runner in place. Throws TaskFailure for one that is not set. */
export function mcpServersOf(
  { name: profile, mcp_servers: servers }: Pick<ProfileResource, 'name' | 'mcp_servers'>,
  env: Env,
): McpServer[] {
  const filled = (text: string) =>
    text.replaceAll(/\$\{(MCP_\w+)\}/g, (_, variable: string) => {
      const value = env[variable];
      if (value !== undefined) return value;
      const problem = `The profile "${profile}" needs ${variable}, which is not set in the environment of the runner.`;
      throw new TaskFailure(problem, false);
    });
  const pairs = (values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([name, value]) => ({ name, value: filled(value) }));
  return servers.map((server) =>
    server.type === 'stdio'
      ? { name: server.name, command: server.command, args: server.args.map(filled), env: pairs(server.env) }
      : { type: server.type, name: server.name, url: server.url, headers: pairs(server.headers) },
  );
}
