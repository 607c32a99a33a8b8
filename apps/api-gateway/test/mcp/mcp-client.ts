import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Gateway, Json } from '../gateway.ts';

/** What a tool returned: its structured content, of an error the text's, and whether it was an error. */
export type ToolResult = { isError: boolean; body: Json; text: string };

/** The SDK's own client, connected with the given headers. It has read the tools, so it validates results. */
export async function connectMcp(gateway: Gateway, headers: Record<string, string>) {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${gateway.address()}/mcp`), {
    requestInit: { headers },
  });
  await client.connect(transport);
  await client.listTools();
  return {
    client,
    transport,
    async toolNames(): Promise<string[]> {
      return (await client.listTools()).tools.map(({ name }) => name);
    },
    async call(name: string, args: Record<string, unknown> = {}): Promise<ToolResult> {
      const { isError = false, structuredContent, content } = await client.callTool({ name, arguments: args });
      const [first] = content as { type: string; text: string }[];
      const text = first?.text ?? '';
      return { isError: Boolean(isError), body: isError ? JSON.parse(text) : structuredContent, text };
    },
    close: () => client.close(),
  };
}
export type McpClient = Awaited<ReturnType<typeof connectMcp>>;
