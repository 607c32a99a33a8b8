import { describe, expect, it } from '@jest/globals';
import { questionText } from './comment-text.ts';

const asked = (permission: object) =>
  questionText({
    id: 'inp_1',
    kind: 'permission',
    prompt: 'Push the branch',
    options: [],
    form: null,
    permission: { tool: 'execute', title: 'Push the branch', ...permission },
  });

describe('a comment that asks for permission', () => {
  it('has the command and the files, and says what "always" is about', () => {
    const diff = [{ path: 'a.ts', old_text: 'a\n', new_text: 'b\nc\n' }];
    const text = asked({ command: 'git push', diff, paths: ['a.ts', '.env'] });
    expect(text).toContain(
      'Push the branch\n\nTool: execute\nCommand: git push\n\nChanges a.ts (+2 -1)\nFile .env\n\n',
    );
    expect(text).toContain(
      'always (the same command, or the same title where there is none, for the rest of the task)',
    );
  });

  it('has the files also after a long command, and says how much of it is cut', () => {
    const text = asked({ command: 'x'.repeat(16_000), paths: ['.env'], truncated: true });
    expect(text).toContain('x … (9000 more characters)\n\nFile .env\nThe command or the list of files is cut');
  });
});
