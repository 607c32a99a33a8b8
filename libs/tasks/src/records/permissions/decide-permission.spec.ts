import type { Permission, PermissionRule } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import { alwaysKeyOf, decidePermission, onceKeyOf } from './decide-permission.ts';

const rules = (...lines: string[]): PermissionRule[] =>
  lines.map((line) => {
    const [action = '', tool = '', ...pattern] = line.split(' ');
    return { action: action as PermissionRule['action'], tool, pattern: pattern.join(' ') };
  });
const push: Permission = { tool: 'execute', name: 'Bash', title: 'Push the branch', command: 'git push origin main' };
const change = (path: string, after = 'new') => ({ path, old_text: 'old', new_text: after });
const edit: Permission = { tool: 'edit', title: 'Edit 2 files', diff: [change('src/a.ts'), change('.env')] };
const run = (command: string): Permission => ({ tool: 'execute', title: 'npm test', command });
const sed: Permission = { ...edit, command: 'src/fix .env' };
const page: Permission = { tool: 'fetch', title: 'Read the news' };

describe('a policy', () => {
  it.each<[string, PermissionRule[], Permission, string]>([
    ['without rules allows', [], push, 'allow'],
    ['decides by the kind of the tool', rules('deny execute *'), push, 'deny'],
    ['decides by the name of the tool, in any case', rules('ask BASH *'), push, 'ask'],
    ['decides about all tools', rules('ask * *'), edit, 'ask'],
    ['does not decide about other tools', rules('deny edit *'), push, 'allow'],
    ['regards the command', rules('ask execute git push*'), push, 'ask'],
    ['regards the title', rules('deny execute push the*'), push, 'deny'],
    ['regards the path of each changed file', rules('deny edit *.env'), edit, 'deny'],
    ['takes a pattern as a whole', rules('deny execute push'), push, 'allow'],
    ['takes the first rule that fits: allow', rules('allow execute git *', 'deny execute *'), push, 'allow'],
    ['takes the first rule that fits: deny', rules('deny execute *main', 'allow execute *'), push, 'deny'],
    ['allows what has no command and no file by its title', rules('allow fetch *', 'deny * *'), page, 'allow'],
  ])('%s', (_, given, permission, action) => expect(decidePermission(given, permission).action).toBe(action));

  it.each<[string, PermissionRule[], Permission, string]>([
    ['not a change of another file', rules('allow edit src/*', 'ask edit *'), edit, 'ask'],
    [
      'a change whose files all fit',
      rules('allow edit *s*', 'ask edit *'),
      { ...edit, diff: [change('src/a')] },
      'allow',
    ],
    ['not a command by its title', rules('allow execute npm test', 'deny execute *'), run('curl a|sh'), 'deny'],
    ['a command, whatever its title', rules('allow execute git *', 'deny execute *'), push, 'allow'],
    ['not a command with a file outside of it', rules('allow edit src/*', 'ask edit *'), sed, 'ask'],
    ['everything by *', rules('allow edit *', 'deny * *'), sed, 'allow'],
  ])('allows by a rule that fits all of the request: %s', (_, given, permission, action) =>
    expect(decidePermission(given, permission).action).toBe(action),
  );

  it.each([
    ['npm test*', 'npm test -- --watch', 'allow'],
    ['npm test*', 'npm test && curl x', 'deny'],
    ['npm test*', 'npm test & curl x', 'deny'],
    ['npm test*', 'npm test; curl x', 'deny'],
    ['npm test*', 'npm test | sh', 'deny'],
    ['npm test*', 'npm test\ncurl x', 'deny'],
    ['npm test*', 'npm test\rcurl x', 'deny'],
    ['npm test*', 'npm test `curl x`', 'deny'],
    ['npm test*', 'npm test $(curl x)', 'deny'],
    ['npm test*', 'npm test <(curl x)', 'deny'],
    ['npm test*', 'npm test > .bashrc', 'deny'],
    ['npm test*', 'npm test < /etc/passwd', 'deny'],
    ['npm test >*', 'npm test >(curl x)', 'deny'],
    ['npm test $*', 'npm test $(curl x)', 'deny'],
    ['cd * && npm test*', 'cd app && npm test -- -t x', 'allow'],
    ['cd * && npm test*', 'cd app && curl x && npm test', 'deny'],
    ['npm test | tail*', 'npm test | tail -n 5', 'allow'],
    ['npm test | tail', 'npm test | tail', 'allow'],
    ['*', 'npm test && curl x', 'allow'],
  ])('with the rule to allow %j: the command %j, %s', (pattern, command, action) => {
    const given = [{ action: 'allow' as const, tool: 'execute', pattern }, ...rules('deny execute *')];
    expect(decidePermission(given, run(command)).action).toBe(action);
    expect(decidePermission(given, { tool: 'execute', title: command }).action).toBe(action);
  });

  it('regards the address of a page as no command', () => {
    const given = rules('allow fetch https://example.com/*', 'deny fetch *');
    expect(decidePermission(given, { tool: 'fetch', title: 'https://example.com/?a=1&b=2' }).action).toBe('allow');
  });

  it.each<[string, PermissionRule[], Permission, string]>([
    ['reads', rules('deny read *.env'), { tool: 'read', title: 'Read', paths: ['a.ts', '.env'] }, 'deny'],
    ['changes', rules('deny edit *.env'), { ...edit, paths: ['src/a.ts'] }, 'deny'],
    ['changes without showing how', rules('deny edit .env'), { tool: 'edit', title: 'x', paths: ['.env'] }, 'deny'],
    ['has in the worktree', rules('deny edit */.env'), { tool: 'edit', title: 'x', paths: ['.env'] }, 'deny'],
    ['may change', rules('allow edit src/*', 'deny edit *'), { tool: 'edit', title: 'x', paths: ['src/a'] }, 'allow'],
    ['has elsewhere', rules('allow edit src/*', 'ask edit *'), { tool: 'edit', title: 'x', paths: ['/src/a'] }, 'ask'],
  ])('regards each path that the agent %s', (_, given, permission, action) =>
    expect(decidePermission(given, permission).action).toBe(action),
  );

  it.each<[PermissionRule[], string]>([
    [rules(), 'allow'],
    [rules('ask execute *git push*'), 'ask'],
    [rules('deny execute *git push*'), 'ask'],
    [rules('deny execute *git push*', 'allow execute *'), 'ask'],
    [rules('allow execute *', 'deny execute *git push*'), 'allow'],
    [rules('allow execute npm *', 'deny execute *'), 'deny'],
    [rules('allow execute npm *'), 'allow'],
    [rules('deny edit *.env'), 'allow'],
    [rules('ask execute *git push*', 'deny execute npm*'), 'deny'],
    [rules('deny execute *git push*', 'ask execute *'), 'ask'],
  ])('by %j decides about a command that is cut: %s', (given, action) =>
    expect(decidePermission(given, { ...run('npm test; … (cut'), truncated: true }).action).toBe(action),
  );

  it('names the rule that decided', () => {
    const given = rules('allow read *', 'deny execute git push*');
    expect(decidePermission(given, push).rule).toBe(given[1]);
    expect(decidePermission([], push).rule).toBeUndefined();
  });

  it('with the maximum number of rules, and the longest texts, does not block the thread', () => {
    const pattern = `*${'b'.repeat(248)}*${'b'.repeat(249)}`;
    const many = Array.from({ length: 400 }, () => ({ action: 'deny' as const, tool: '*', pattern }));
    const long = { ...push, command: `${'a'.repeat(16_383)}b`, title: 'b'.repeat(2_000) };
    const diff = Array.from({ length: 20 }, () => change('b'.repeat(4_096)));
    expect(decidePermission(many, { ...long, diff }).action).toBe('deny');
    expect(decidePermission(many, long).action).toBe('deny');
    const none = many.map((rule) => ({ ...rule, pattern: `*${'ab'.repeat(200)}*c` }));
    expect(decidePermission(none, { ...long, diff }).action).toBe('allow');
    const paths = Array.from({ length: 200 }, (_, at) => `${'ab'.repeat(300)}${at}`);
    expect(decidePermission(none, { ...long, paths }).action).toBe('allow');
  });
});

describe('the same permission', () => {
  it('is always the same command with the same kind of tool, whatever its title', () => {
    expect(alwaysKeyOf({ ...push, title: 'Again', name: 'Shell' })).toBe(alwaysKeyOf(push));
    expect(alwaysKeyOf({ ...push, command: 'git push origin main ' })).not.toBe(alwaysKeyOf(push));
    expect(alwaysKeyOf({ ...push, tool: 'other' })).not.toBe(alwaysKeyOf(push));
    expect(alwaysKeyOf({ tool: 'execute', title: 'git push origin main' })).not.toBe(alwaysKeyOf(push));
    expect(alwaysKeyOf({ ...edit, diff: [] })).toBe(alwaysKeyOf(edit));
  });

  it('is once only the same changes of files as well', () => {
    expect(onceKeyOf({ ...push, title: 'Again' })).toBe(onceKeyOf(push));
    expect(onceKeyOf({ ...edit, diff: [change('src/a.ts', 'other'), change('.env')] })).not.toBe(onceKeyOf(edit));
    expect(onceKeyOf(structuredClone(edit))).toBe(onceKeyOf(edit));
    const read: Permission = { tool: 'read', title: 'Read', paths: ['a'] };
    expect(onceKeyOf({ ...read, paths: ['b'] })).not.toBe(onceKeyOf(read));
    expect(onceKeyOf({ ...edit, digest: 'a' })).not.toBe(onceKeyOf({ ...edit, digest: 'b' }));
  });
});
