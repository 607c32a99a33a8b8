import { permissionInput } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import type { ToolEvent } from '../events/event.ts';
import type { TurnLog } from '../events/turn-log.ts';
import { askedTool } from './asked-tool.ts';
import { permissionOf } from './permission-of.ts';

const bash = { kind: 'execute', name: 'Bash', title: 'Terminal' };
const change = (path: string, newText: string) => ({ type: 'diff', path, oldText: null, newText });
const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

function permissionIn(call: object, log?: Partial<TurnLog>) {
  const toolCall = { toolCallId: 'call_1', ...call };
  const { rawInput } = toolCall as { rawInput?: unknown };
  return permissionOf(askedTool(toolCall, log as TurnLog | undefined, '/srv/tree'), rawInput);
}

describe('what an agent wants permission for', () => {
  it('is the tool with its command, and the changes of files', () => {
    const content = [change('/srv/tree/a.ts', 'new'), { type: 'content', content: { type: 'text', text: 'x' } }];
    expect(permissionIn({ ...bash, rawInput: { command: 'git push' }, content })).toEqual({
      tool: 'execute',
      name: 'Bash',
      title: 'Terminal',
      command: 'git push',
      diff: [{ path: 'a.ts', old_text: '', new_text: 'new' }],
      paths: ['a.ts'],
    });
    const listed = permissionIn({ ...bash, rawInput: { command: ['bash', '-lc', 'git push'] } });
    expect(listed.command).toBe('bash -lc git push');
  });

  it('is another tool where its kind is not known, and has a title all the same', () => {
    expect(permissionIn({ kind: 'teleport', title: ' ' })).toEqual({ tool: 'other', title: 'Use a tool' });
  });

  it('names each file once: relative to the worktree where it is in it, else absolute', () => {
    const paths = ['/srv/tree/src/a.ts', 'src/../src/a.ts', '/srv/tree', '/srv/tree/../b', '../tree2/c', '..d/e', ''];
    const locations = paths.map((path) => ({ path, line: 1 }));
    const { paths: shown } = permissionIn({ kind: 'read', title: 'Read', locations });
    expect(shown).toEqual(['src/a.ts', '.', '/srv/b', '/srv/tree2/c', '..d/e', '?']);
  });

  it('has what earlier updates said of the files, where the request says nothing of them', () => {
    const known = { title: 'Edit a.ts', paths: ['/srv/tree/a.ts', '/srv/tree/.env'] };
    const diffOf = (path: string) => ({ path, oldText: 'old', newText: 'new' });
    const tool = () => ({ ...known, diffs: known.paths.map(diffOf) }) as ToolEvent;
    expect(permissionIn({ kind: 'edit' }, { tool })).toEqual({
      tool: 'edit',
      title: 'Edit a.ts',
      diff: ['a.ts', '.env'].map((path) => ({ path, old_text: 'old', new_text: 'new' })),
      paths: ['a.ts', '.env'],
    });
  });

  it('has the path of each file, also where not all changes are shown, and another digest for other changes', () => {
    const changing = (last: string) =>
      permissionIn({ kind: 'edit', content: [...many(25, (at) => change(`a${at}`, 'x')), change('.env', last)] });
    const permission = changing('a');
    expect(permission.diff).toHaveLength(20);
    expect(permission.paths).toHaveLength(26);
    expect(permission.paths).toContain('.env');
    expect(permission.truncated).toBeUndefined();
    expect(permission.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(changing('b').digest).not.toBe(permission.digest);
    expect(changing('a')).toEqual(permission);
  });

  it('of changes far behind the beginning of a file shows what differs, and is another one for another change', () => {
    const editing = (word: string) => {
      const text = (changed: string) => `${'line\n'.repeat(10_000)}${changed}\n${'line\n'.repeat(10_000)}`;
      const content = [{ type: 'diff', path: 'a.ts', oldText: text('old'), newText: text(word) }];
      return permissionIn({ kind: 'edit', content });
    };
    const [one, other] = ['one', 'other'].map(editing);
    expect(one?.diff?.[0]?.old_text).toContain('line\nold\nline');
    expect(one?.diff?.[0]?.new_text).toContain('line\none\nline');
    expect(other?.diff).not.toEqual(one?.diff);
    expect(one?.digest).toBeDefined();
    expect(one?.truncated).toBeUndefined();
  });

  it.each([
    ['more files than the service takes', { locations: many(201, (at) => ({ path: `a${at}` })) }],
    [
      'files whose paths are too large together',
      { locations: many(50, (at) => ({ path: `${at}`.padEnd(4_000, 'x') })) },
    ],
    ['a path that is too long', { locations: [{ path: 'x'.repeat(5_000) }] }],
    ['a command that is too long', { rawInput: { command: 'x'.repeat(16_385) } }],
  ])('says that not all is shown of %s', (_, call) => {
    expect(permissionIn(call)).toMatchObject({ truncated: true, digest: expect.any(String) });
  });

  it('fits the service, however long its texts are', () => {
    const content = many(30, (at) => change(`${at}${'x'.repeat(5_000)}`, '\u0001'.repeat(50_000 + at)));
    const locations = many(300, (at) => ({ path: `${at}`.padEnd(4_000, 'x') }));
    const long = { kind: 'execute', title: 't'.repeat(5_000), name: 'n'.repeat(500), content, locations };
    for (const character of ['é', '\u0001']) {
      const permission = permissionIn({ ...long, rawInput: { command: character.repeat(50_000) } });
      expect(permissionInput.safeParse(permission).error).toBeUndefined();
      expect(permission.paths?.length).toBeGreaterThan(0);
    }
  });

  it('is another command where only the part that is cut differs', () => {
    const ending = (text: string) => permissionIn({ ...bash, rawInput: { command: 'x'.repeat(20_000) + text } });
    expect(ending('a').command).not.toBe(ending('b').command);
    expect(ending('a')).toEqual(ending('a'));
  });
});
