import { expect, it } from '@jest/globals';
import { readAgentSearch } from './agent-search.ts';
import { mcpConfiguration, presetOf, scriptCommand, startCommand } from './connect-agent.ts';

it('keeps the known parts of the address of the list and ignores the rest', () => {
  expect(readAgentSearch({ role: 'rd', status: 'busy', presence: 'online', new: true })).toEqual({
    role: 'rd',
    status: 'busy',
    presence: 'online',
    new: true,
  });
  expect(readAgentSearch({ role: '', status: 'gone', presence: 1, new: 'yes', x: 1 })).toEqual({});
});

it('gives one line with the key on stdin, lines without it, and an MCP configuration that is JSON', () => {
  const start = { url: 'https://a.example/base', role: 'rd', preset: 'claude' } as const;
  expect(startCommand({ ...start, apiKey: 'eas_live_1' })).toBe(
    'echo eas_live_1 | npx --yes @engineering-agent-service/eas agent start claude --role rd --url https://a.example/base --key-fd 0',
  );
  expect(startCommand(start)).toMatch(
    /^npx .* start claude --role rd --url https:\/\/a.example\/base --key-file agent.key$/,
  );
  expect(scriptCommand(start.url, 'rd')).toContain(
    "--role rd --url https://a.example/base --key-file agent.key --exec '",
  );
  expect(JSON.parse(mcpConfiguration('https://a.example/base', 'eas_live_1'))).toEqual({
    mcpServers: {
      engineering: { type: 'http', url: 'https://a.example/base/mcp', headers: { 'X-API-Key': 'eas_live_1' } },
    },
  });
});

it('knows the coding agent that an agent was added for', () => {
  expect(presetOf({ capabilities: ['typescript', 'gemini'] })).toBe('gemini');
  expect(presetOf({ capabilities: ['typescript'] })).toBeUndefined();
});
