import { expect, it } from '@jest/globals';
import { readAgentSearch } from './agent-search.ts';
import { mcpConfiguration, runnerCommand } from './connect-agent.ts';

it('keeps what the address may say of the list, and leaves out the rest', () => {
  expect(readAgentSearch({ role: 'rd', status: 'busy', presence: 'online', new: true })).toEqual({
    role: 'rd',
    status: 'busy',
    presence: 'online',
    new: true,
  });
  expect(readAgentSearch({ role: '', status: 'gone', presence: 1, new: 'yes', x: 1 })).toEqual({});
});

it('gives a runner command without the key, and an MCP configuration that is JSON', () => {
  expect(runnerCommand('https://a.example/base', 'rd')).toContain('--url https://a.example/base --role rd --key-file');
  expect(JSON.parse(mcpConfiguration('https://a.example/base', 'eas_live_1'))).toEqual({
    mcpServers: {
      engineering: { type: 'http', url: 'https://a.example/base/mcp', headers: { 'X-API-Key': 'eas_live_1' } },
    },
  });
});
