import { describe, expect, it } from '@jest/globals';
import { isAllowed } from '../acp/asking/permission.ts';
import { readDenyRule } from './deny-rule.ts';

type Tool = Omit<Parameters<typeof isAllowed>[1], 'paths'> & { paths?: readonly string[] };
const allows = (rule: string, tool: Tool, input: unknown = {}) => {
  const read = readDenyRule(rule);
  expect(read).toBeDefined();
  return isAllowed(read ? [read] : [], { paths: [], ...tool }, input);
};
const shell = { type: 'execute', name: 'Bash', title: 'Terminal' };

describe('a rule against a tool', () => {
  it.each([
    ['execute', shell, {}, false],
    ['bash', shell, {}, false],
    ['fetch', shell, {}, true],
    ['*', shell, {}, false],
    ['execute:git push*', shell, { command: 'git push origin main' }, false],
    ['execute:git push*', shell, { command: 'git status' }, true],
    ['execute:*git push*', shell, { command: ['bash', '-lc', 'cd x && git push'] }, false],
    ['execute:git push*', { ...shell, title: 'git push' }, undefined, false],
    ['edit:/etc/*', { type: 'edit', name: 'Write', title: 'Write' }, { file_path: '/etc/passwd' }, false],
    ['edit:/etc/*', { type: 'edit', name: 'Write', title: 'Write' }, { file_path: '/home/a' }, true],
    ['edit:*.env', { type: 'edit', name: 'Write', title: 'Write', paths: ['a.ts', '.env'] }, undefined, false],
    ['other', { type: undefined, name: undefined, title: 'A tool' }, {}, false],
    ['execute:rm (all)', shell, { command: 'rm (all)' }, false],
  ] as const)('%s holds for what it names', (rule, tool, input, isGiven) => {
    expect(allows(rule, tool, input)).toBe(isGiven);
  });

  it.each(['', ':x', 'two words', 'execute:'])('is not read from %j', (text) => {
    expect(readDenyRule(text)).toBeUndefined();
  });
});
