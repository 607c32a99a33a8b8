import { basePath } from '../api/base-path.ts';
import { CopyText } from '../resources/copy-text.tsx';
import { keyPlaceholder, mcpConfiguration, runnerCommand } from './connect-agent.ts';

const url = location.origin + basePath;

/** How a program or a model becomes this agent. */
export const ConnectAgent = ({ role, apiKey = keyPlaceholder }: { role: string; apiKey?: string }) => (
  <>
    <p>Any program: write the key into the file agent.key, and run this in a copy of the repository.</p>
    <CopyText label="Runner command" value={runnerCommand(url, role)} />
    <p>A model: put this into the configuration of its MCP client.</p>
    <CopyText label="MCP configuration" value={mcpConfiguration(url, apiKey)} />
  </>
);
