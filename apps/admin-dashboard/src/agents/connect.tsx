import { basePath } from '../api/base-path.ts';
import { CopyText } from '../resources/copy-text.tsx';
import type { Agent } from './agent-queries.ts';
import { keyPlaceholder, mcpConfiguration, presetOf, scriptCommand, startCommand } from './connect-agent.ts';

/** Where the service is for programs elsewhere. */
export const serviceUrl = location.origin + basePath;

type ConnectProps = { agent: Pick<Agent, 'role' | 'capabilities'>; apiKey?: string };

/** How a coding agent, a program or a model becomes this agent. */
export const ConnectAgent = ({ agent, apiKey }: ConnectProps) => (
  <>
    <p>
      A coding agent: {apiKey === undefined && 'write the key into the file agent.key, and '}run this where it is
      installed. It needs Node.js 20.12 or newer and git.
    </p>
    <CopyText
      label="Runner command"
      value={startCommand({ url: serviceUrl, role: agent.role, preset: presetOf(agent) ?? 'claude', apiKey })}
    />
    <p>Any program: write the key into the file agent.key.</p>
    <CopyText label="Command for a program" value={scriptCommand(serviceUrl, agent.role)} />
    <p>A model: put this into the configuration of its MCP client.</p>
    <CopyText label="MCP configuration" value={mcpConfiguration(serviceUrl, apiKey ?? keyPlaceholder)} />
  </>
);
