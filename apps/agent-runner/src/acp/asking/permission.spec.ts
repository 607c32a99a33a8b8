import { permissionInput } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import { permissionOf } from './permission.ts';

const tool = { type: 'execute', name: 'Bash', title: 'Terminal' };
const request = (toolCall: object = {}) => ({ toolCall: { toolCallId: 'call_1', ...toolCall }, options: [] });
const change = (path: string, newText: string) => ({ type: 'diff', path, oldText: null, newText });

describe('what an agent wants permission for', () => {
  it('is the tool with its command, and the changes of files', () => {
    const content = [change('a.ts', 'new'), { type: 'content', content: { type: 'text', text: 'x' } }];
    expect(permissionOf(tool, request({ rawInput: { command: 'git push' }, content }))).toEqual({
      tool: 'execute',
      name: 'Bash',
      title: 'Terminal',
      command: 'git push',
      diff: [{ path: 'a.ts', old_text: '', new_text: 'new' }],
    });
    const listed = permissionOf(tool, request({ rawInput: { command: ['bash', '-lc', 'git push'] } }));
    expect(listed.command).toBe('bash -lc git push');
  });

  it('is another tool where its kind is not known, and has a title all the same', () => {
    const unknown = { type: 'teleport', name: undefined, title: ' ' };
    expect(permissionOf(unknown, request())).toEqual({ tool: 'other', title: 'Use a tool' });
  });

  it('fits the service, however long its texts are', () => {
    const content = Array.from({ length: 30 }, (_, at) => change('x'.repeat(5_000), '\u0001'.repeat(50_000 + at)));
    const long = { ...tool, title: 't'.repeat(5_000), name: 'n'.repeat(500) };
    const permission = permissionOf(long, request({ rawInput: { command: 'é'.repeat(50_000) }, content }));
    expect(permissionInput.safeParse(permission).error).toBeUndefined();
  });

  it('is another command where only the part that is cut differs', () => {
    const ending = (text: string) => permissionOf(tool, request({ rawInput: { command: 'x'.repeat(20_000) + text } }));
    expect(ending('a').command).not.toBe(ending('b').command);
    expect(ending('a')).toEqual(ending('a'));
  });
});
