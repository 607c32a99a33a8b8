import { z } from 'zod';
import { requiredText } from '../../fields.ts';
import { slug } from './slug.ts';

const variables =
  'Values may contain `${MCP_…}`: the variable of that name of the runner, which keeps secrets out of profiles.';

const values = (description: string) =>
  z
    .record(z.string().min(1).max(200), z.string().max(4_096))
    .refine((record) => Object.keys(record).length <= 50, {
      params: { constraint: 'max_length' },
      message: 'must have at most 50 entries',
    })
    .default({})
    .describe(`${description} ${variables}`);
export const exampleServer = {
  type: 'http' as const,
  name: 'issues',
  url: 'https://mcp.example.com/mcp',
  headers: { Authorization: 'Bearer ${MCP_ISSUES_TOKEN}' },
};
const serverName = slug(64).describe('Its name, which is part of the names of its tools.');

const remoteServer = z
  .strictObject({
    type: z.enum(['http', 'sse']).describe('Its transport.'),
    name: serverName,
    url: z
      .url({ protocol: /^https?$/ })
      .max(2_048)
      .describe('Its address, as the machine of the agent reaches it.'),
    headers: values('HTTP headers of each request.'),
  })
  .meta({ id: 'RemoteMcpServer', description: 'An MCP server that is reached by HTTP.', example: exampleServer });
const localServer = z
  .strictObject({
    type: z.literal('stdio').describe('Its transport.'),
    name: serverName,
    command: requiredText(1_024).describe('The program to start on the machine of the agent.'),
    args: z.array(z.string().max(4_096)).max(50).default([]).describe(`Its arguments. ${variables}`),
    env: values('Its environment.'),
  })
  .meta({
    id: 'LocalMcpServer',
    description: 'An MCP server that is a program on the machine of the agent.',
    example: { type: 'stdio', name: 'docs', command: 'docs-mcp', args: ['--stdio'], env: {} },
  });
export const mcpServer = z.discriminatedUnion('type', [remoteServer, localServer]).meta({
  id: 'McpServer',
  description: 'An MCP server whose tools the agent gets.',
  example: exampleServer,
});
