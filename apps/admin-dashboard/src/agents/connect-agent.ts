import type { Schemas } from '../api/client.ts';
import { enumWords } from '../generated/words.ts';

export type CodingAgent = Schemas['CodingAgent'];

/** Their names for people, in the order of the contract. */
export const codingAgents: Readonly<Record<CodingAgent, string>> = enumWords.CodingAgent;

export const keyPlaceholder = '<the key of this agent>';

/** Where the command is without this repository: npx installs it the first time. */
const eas = 'npx --yes @engineering-agent-service/eas';

export type Start = { url: string; role: string; preset: CodingAgent; apiKey?: string | undefined };

/**
 * The line that starts a coding agent as the agent whose key it is; the role has letters, digits, - and _ only. The key
 * comes by stdin: what is an argument of a program is seen by all users of its machine. Without a key it is in a file.
 */
export function startCommand({ url, role, preset, apiKey }: Start): string {
  const start = `${eas} agent start ${preset} --role ${role} --url ${url}`;
  return apiKey === undefined ? `${start} --key-file agent.key` : `echo ${apiKey} | ${start} --key-fd 0`;
}

/** The line that runs any program as the agent whose key is in the file. */
export const scriptCommand = (url: string, role: string): string =>
  `${eas} agent start --role ${role} --url ${url} --key-file agent.key --exec 'my-agent --task "$TASK_DIR/task.json"'`;

/** What MCP clients read from their configuration file. */
export const mcpConfiguration = (url: string, key: string): string =>
  JSON.stringify({
    mcpServers: { engineering: { type: 'http', url: `${url}/mcp`, headers: { 'X-API-Key': key } } },
  });

/** The coding agent that an agent was added for. */
export const presetOf = ({ capabilities }: { capabilities: readonly string[] }): CodingAgent | undefined =>
  (Object.keys(codingAgents) as CodingAgent[]).find((preset) => capabilities.includes(preset));
