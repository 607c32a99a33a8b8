export const keyPlaceholder = '<the key of this agent>';

/** The command that runs any program as the agent whose key is in the file; the role has letters, digits, - and _ only. */
export const runnerCommand = (url: string, role: string): string =>
  `npm run agent-runner -- --url ${url} --role ${role} --key-file agent.key --exec 'my-agent --task "$TASK_DIR/task.json"'`;

/** What MCP clients read from their configuration file. */
export const mcpConfiguration = (url: string, key: string): string =>
  JSON.stringify({
    mcpServers: { engineering: { type: 'http', url: `${url}/mcp`, headers: { 'X-API-Key': key } } },
  });
